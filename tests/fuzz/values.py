"""Values that a field never holds, as raw JSON, and the keys that matter most."""

TIMES = (
    b'"2026-03-05T09:00:07.000Z"',
    b'"2026-03-05T09:00:07"',
    b'"2026-03-05 09:00:07+14:00"',
    b'"2026-06-30T23:59:60Z"',
    b'"0001-01-01T00:00:00+14:00"',
    b'"1970-01-01T00:00:00Z"',
    b'"9999-12-31T23:59:59.999-14:00"',
    b'"9999-12-31T23:59:59Z"',
    b'"20260305T090007Z"',
    b'"2026-W10-4"',
    b'"yesterday"',
    b"1772701207000",
    b"1772701207",
    b"-62135596800000",
    b"253402300799999",
    b"1e22",
)

NUMBERS = (
    b"0",
    b"-0",
    b"-1",
    b"1.5",
    b"1e999",
    b"-1e999",
    b"NaN",
    b"Infinity",
    b"9223372036854775808",
    b"1" + b"0" * 400,
    b"9" * 4400,
)

TEXTS = (
    b'""',
    b'" "',
    rb'"\ud83d"',
    rb'"\udcb2\ud83d"',
    rb'"\u0000a\u001b[31m"',
    b'"\\u2028\xe2\x80\xa8\xc2\x85"',
    b'"\xff\xfe"',
    b'"' + b"9" * 4400 + b'"',
    b'"' + b"x y\\n" * 900 + b'"',
    b'"user"',
    b'"assistant"',
    b'"system"',
    b'"running"',
    b'"<synthetic>"',
    b'"toolu_0f0e0d0c1"',
)

SHAPES = (
    b"null",
    b"true",
    b"false",
    b"[]",
    b"{}",
    b"[[]]",
    b"[null]",
    b'["running"]',
    b'{"":{}}',
    b'{"a":1,"a":[]}',
    b'[{"type":"text","text":"x"}]',
    b"[" * 150 + b"]" * 150,
    b"[" * 900 + rb'"\u0001"' + b"]" * 900,
    b'{"a":' * 700 + rb'"\u0001"' + b"}" * 700,
    b"[" * 3000,
)

HOSTILE = TIMES + NUMBERS + TEXTS + SHAPES

JUNK = (
    b"",
    b" ",
    b"42",
    b"[1]",
    b'"massive error"',
    b'{"silly":"this"}',
    b"\x00" * 300,
    b"{",
    b'{"type":"user"',
    b"\xef\xbb\xbf{}",
    b'{"type":"user","message":{"0":"a","content":""}}',
    b'{"type":"user","message":"error"}',
    b'{"parentUuid":' * 60,
)

BYTES = (
    b"\x00",
    b"\x00" * 40,
    b"\xff",
    b"\xc3",
    b"\xed\xa0\xbd",
    b"\xe2\x80\xa8",
    b"\xc2\x85",
    b"\r",
    b"\\",
    b'"',
    rb"\ud83d",
    b"}{",
    b"\x1b]0;",
)
