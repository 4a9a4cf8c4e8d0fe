# A pseudo-terminal with a small shell in it, steered by JSON lines. Node has no call that opens one.
#
#   python3 pty-host.py COLUMNS ROWS PROGRAM ARGUMENT...
#
# The shell does what a shell does for one job (a process group of its own in the foreground, told when the job stops)
# and nothing more: bash would repair the settings of the terminal after each job and hide what the job left behind.
import fcntl, json, os, pty, select, signal, struct, sys, termios


def say(**event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def set_size(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def settings(fd):
    flags = termios.tcgetattr(fd)
    return json.dumps(flags[:6] + [[str(key) for key in flags[6]]])


def run_job(terminal, program, orders, reports):
    """The session leader: starts the job, reports how it stops or ends, continues it when asked."""
    own = termios.tcgetattr(terminal)
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for name in (signal.SIGTTOU, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        # It waits until its start was reported: the reader of the report takes hold of it by its number.
        if os.read(orders, 1) == b"":
            os._exit(1)
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpid())
        for name in (signal.SIGTTOU, signal.SIGHUP):
            signal.signal(name, signal.SIG_DFL)
        for fd in (0, 1, 2):
            os.dup2(terminal, fd)
        os.execvp(program[0], program)
    os.write(reports, b'{"started": %d}\n' % job)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        try:
            os.tcsetpgrp(terminal, os.getpid())
        except OSError:
            pass  # the terminal is gone
        if os.WIFSTOPPED(status):
            os.write(reports, b'{"stopped": %d}\n' % os.WSTOPSIG(status))
            order = os.read(orders, 1)
            if order == b"":
                os.killpg(job, signal.SIGKILL)
                return
            # By now a shell has used the terminal with settings of its own.
            termios.tcsetattr(terminal, termios.TCSADRAIN, own)
            if order == b"f":
                os.tcsetpgrp(terminal, job)
            os.killpg(job, signal.SIGCONT)
            continue
        how, number = ("killed", os.WTERMSIG(status)) if os.WIFSIGNALED(status) else ("ended", os.WEXITSTATUS(status))
        os.write(reports, json.dumps({how: number}).encode() + b"\n")
        # Its own end would hang up the terminal, and the settings could not be read any more.
        os.read(orders, 1)
        return


def main():
    columns, rows, *program = sys.argv[1:]
    master, terminal = pty.openpty()
    set_size(master, int(columns), int(rows))
    orders_out, orders_in = os.pipe()
    reports_out, reports_in = os.pipe()
    if os.fork() == 0:
        # The job may not hold these: its end would go unnoticed, and it must read nothing but the terminal.
        for fd in (0, 1, master, orders_in, reports_out):
            os.close(fd)
        try:
            run_job(terminal, program, orders_out, reports_in)
        finally:
            os._exit(0)
    for fd in (orders_out, reports_in):
        os.close(fd)
    say(settings=settings(terminal))
    job, commands = None, b""
    while True:
        sources = [0, reports_out] + ([master] if master >= 0 else [])
        ready = select.select(sources, [], [])[0]
        if master in ready:
            say(output=os.read(master, 65536).decode("latin-1"))
            continue
        if reports_out in ready:
            reports = os.read(reports_out, 65536)
            if not reports:
                return
            for report in map(json.loads, reports.splitlines()):
                if "started" in report:
                    job = os.pidfd_open(report["started"])
                    os.write(orders_in, b"s")
                # What the job wrote before it stopped or ended is reported first.
                while master >= 0 and select.select([master], [], [], 0)[0]:
                    say(output=os.read(master, 65536).decode("latin-1"))
                if master >= 0:
                    report["settings"] = settings(terminal)
                say(**report)
        if 0 in ready:
            data = os.read(0, 65536)
            if not data:
                send(job, "SIGKILL")
                return
            *lines, commands = (commands + data).split(b"\n")
            for command in map(json.loads, lines):
                if "write" in command:
                    os.write(master, command["write"].encode("latin-1"))
                elif "size" in command:
                    set_size(master, *command["size"])
                elif "signal" in command:
                    send(job, command["signal"])
                elif "continue" in command:
                    os.write(orders_in, b"f" if command["continue"] == "fg" else b"b")
                elif "settings" in command:
                    say(settings=settings(terminal))
                elif "hangUp" in command:
                    os.close(master)
                    master = -1


def send(job, name):
    """By a descriptor, never by a number: a job that is over gets nothing, and no other process can."""
    try:
        if job is not None:
            signal.pidfd_send_signal(job, signal.Signals[name])
    except ProcessLookupError:
        pass


main()
