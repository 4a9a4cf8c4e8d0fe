;; Quotes UTF-8 text for JSON, sixteen bytes at a time. Its binary is in text-line.ts; rebuild it with any assembler
;; for the text format of WebAssembly (`wat2wasm quote.wat`). Returns where the output ends.
(module
  (memory (export "memory") 44)
  ;; The short escapes of control characters, by their code: \b \t \n \f \r.
  (data (i32.const 8) "btn\00fr")
  (func (export "quote") (param $in i32) (param $length i32) (param $out i32) (result i32)
    (local $end i32) (local $bytes v128) (local $found i32) (local $char i32)
    (local.set $end (i32.add (local.get $in) (local.get $length)))
    (block $done
      (loop $next
        (block $escape
          (loop $wide
            (if (i32.le_u (i32.add (local.get $in) (i32.const 16)) (local.get $end)) (then
              (local.set $bytes (v128.load (local.get $in)))
              (v128.store (local.get $out) (local.get $bytes))
              (local.set $found (i8x16.bitmask (v128.or
                (i8x16.lt_u (local.get $bytes) (i8x16.splat (i32.const 32)))
                (v128.or
                  (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 34)))
                  (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 92)))))))
              (if (local.get $found) (then
                (local.set $found (i32.ctz (local.get $found)))
                (local.set $in (i32.add (local.get $in) (local.get $found)))
                (local.set $out (i32.add (local.get $out) (local.get $found)))
                (br $escape)))
              (local.set $in (i32.add (local.get $in) (i32.const 16)))
              (local.set $out (i32.add (local.get $out) (i32.const 16)))
              (br $wide))))
          (loop $narrow
            (br_if $done (i32.ge_u (local.get $in) (local.get $end)))
            (local.set $char (i32.load8_u (local.get $in)))
            (br_if $escape (i32.or (i32.lt_u (local.get $char) (i32.const 32))
              (i32.or (i32.eq (local.get $char) (i32.const 34)) (i32.eq (local.get $char) (i32.const 92)))))
            (i32.store8 (local.get $out) (local.get $char))
            (local.set $in (i32.add (local.get $in) (i32.const 1)))
            (local.set $out (i32.add (local.get $out) (i32.const 1)))
            (br $narrow)))
        (local.set $char (i32.load8_u (local.get $in)))
        (local.set $in (i32.add (local.get $in) (i32.const 1)))
        (i32.store8 (local.get $out) (i32.const 92))
        (local.set $found (select (i32.load8_u (local.get $char)) (local.get $char) (i32.lt_u (local.get $char) (i32.const 32))))
        (if (local.get $found)
          (then
            (i32.store8 offset=1 (local.get $out) (local.get $found))
            (local.set $out (i32.add (local.get $out) (i32.const 2))))
          (else
            (i32.store offset=1 align=1 (local.get $out) (i32.const 0x30303075))
            (i32.store8 offset=4 (local.get $out) (i32.add (i32.const 48) (i32.shr_u (local.get $char) (i32.const 4))))
            (local.set $char (i32.and (local.get $char) (i32.const 15)))
            (i32.store8 offset=5 (local.get $out) (i32.add (local.get $char)
              (select (i32.const 48) (i32.const 87) (i32.lt_u (local.get $char) (i32.const 10)))))
            (local.set $out (i32.add (local.get $out) (i32.const 6)))))
        (br $next)))
    (local.get $out)))
