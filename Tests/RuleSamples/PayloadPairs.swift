import JSONText

extension RulePair {
  private static func padded(to count: Int) -> String {
    let (start, end) = (#"{"aps":{"alert":""#, #""}}"#)
    return start + String(repeating: "a", count: count - start.count - end.count) + end
  }

  private static let channel = RuleSample.toChannel

  private static func state(to count: Int) -> String {
    let (start, end) = (
      #"{"aps":{"event":"update","timestamp":1700000000,"content-state":{"a":""#, #""}}}"#
    )
    return start + String(repeating: "a", count: count - start.count - end.count) + end
  }

  private static let pass = RuleSample().with("apns-topic", "pass.com.example.shop")

  private static func nested(_ depth: Int) -> String {
    #"{"aps":{"badge":1},"own":\#(list(depth - 1))}"#
  }

  private static func list(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  static let wholePayloads = [
    RulePair("payload-missing", broken: "", kept: #"{"aps":{"badge":0}}"#),
    RulePair("payload-size", broken: padded(to: 4097), kept: padded(to: 4096)),
    RulePair("payload-size", type: "voip", broken: padded(to: 5121), kept: padded(to: 5120)),
    RulePair(
      "payload-size", broken: channel.with(body: state(to: 5121)),
      kept: channel.with(body: state(to: 5120))),
    RulePair("payload-missing", broken: channel.with(body: ""), kept: channel),
    RulePair("payload-object", broken: "[]", kept: #"{"aps":{"badge":0}}"#),
    RulePair("aps-missing", broken: "{}", kept: #"{"aps":{"badge":0}}"#),
    RulePair(
      "aps-missing", broken: RuleSample().with(type: "background", body: "{}"),
      kept: pass.with(type: "background", body: "{}").with("apns-topic", "pass.com.example.shop")),
    RulePair(
      "aps-missing", broken: RuleSample().with("apns-topic", "com.example.pass").with(body: "{}"),
      kept: pass.with(body: "{}")),
    RulePair("aps-missing", broken: #"{"APS":{"badge":0}}"#, kept: #"{"aps":{"badge":0},"APS":1}"#),
    RulePair(
      "aps-missing", broken: #"{"message":{"token":"A","notification":{"body":"B"}}}"#,
      kept: #"{"aps":{"alert":"B"},"message":{"token":"A"}}"#),
    RulePair("aps-object", broken: #"{"aps":"hello"}"#, kept: #"{"aps":{"alert":"hello"}}"#),
    RulePair(
      "payload-number", broken: #"{"aps":{"badge":1},"own":{"n":[1,-1e400]}}"#,
      kept: #"{"aps":{"badge":1},"own":{"n":[1,-1e308]}}"#),
  ]

  static let texts = [
    RulePair("payload-json", broken: #"{"aps":{"badge":01}}"#, kept: #"{"aps":{"badge":1}}"#),
    RulePair(
      "payload-json", broken: #"{"aps":{"badge":{{n}}}}"#, kept: #"{"aps":{"alert":"{{n}}"}}"#),
    RulePair(
      "payload-encoding",
      broken: RuleSample().with(
        bytes: Array(#"{"aps":{"alert":""#.utf8) + [0xE9, 0x22, 0x7D, 0x7D]),
      kept: RuleSample().with(body: #"{"aps":{"alert":"é"}}"#)),
    RulePair(
      "payload-byte-order-mark", broken: "\u{FEFF}{\"aps\":{\"badge\":1}}",
      kept: "{\"aps\":{\"alert\":\"\u{FEFF}\"}}"),
    RulePair(
      "payload-smart-quotes", broken: #"{“aps”:{"badge":1}}"#, kept: #"{"aps":{"alert":"“Hi”"}}"#),
    RulePair(
      "payload-duplicate-key", broken: #"{"aps":{"badge":1,"badge":1}}"#,
      kept: #"{"aps":{"badge":1},"badge":1}"#),
    RulePair("payload-depth", broken: nested(33), kept: nested(32)),
    RulePair(
      "payload-surrogates", broken: #"{"aps":{"alert":"\ud83c"}}"#,
      kept: #"{"aps":{"alert":"\ud83c\udf5e"}}"#),
  ]

  static let alerts = [
    RulePair(
      "alert-content", broken: #"{"aps":{"content-available":1}}"#,
      kept: #"{"aps":{"content-available":1,"sound":"default"}}"#),
    RulePair("alert-content", broken: #"{"aps":{}}"#, kept: #"{"aps":{"badge":0}}"#),
    RulePair(
      "alert-content", broken: RuleSample().with(body: #"{"aps":{}}"#),
      kept: pass.with(body: #"{"aps":{}}"#)),
    RulePair("alert-empty", broken: #"{"aps":{"alert":""}}"#, kept: #"{"aps":{"alert":"."}}"#),
    RulePair("alert-empty", broken: #"{"aps":{"alert":" \n"}}"#, kept: #"{"aps":{"alert":" A"}}"#),
    RulePair(
      "alert-empty", broken: #"{"aps":{"alert":{"launch-image":"a"}}}"#,
      kept: #"{"aps":{"alert":{"loc-key":"A"}}}"#),
    RulePair(
      "alert-blank", broken: #"{"aps":{"alert":{"title":" ","body":"A"}}}"#,
      kept: #"{"aps":{"alert":{"title":"-","body":"A"}}}"#),
    RulePair(
      "alert-blank", broken: #"{"aps":{"alert":{"title":"A","body":""}}}"#,
      kept: #"{"aps":{"alert":{"title":"A"}}}"#),
    RulePair(
      "alert-blank", broken: #"{"aps":{"alert":{"loc-key":""}}}"#,
      kept: #"{"aps":{"alert":{"loc-key":"A"}}}"#),
    RulePair(
      "alert-text-twice", broken: #"{"aps":{"alert":{"title":"A","title-loc-key":"A"}}}"#,
      kept: #"{"aps":{"alert":{"title":"A","loc-key":"A"}}}"#),
    RulePair(
      "alert-arguments", broken: #"{"aps":{"alert":{"body":"A","loc-args":["B"]}}}"#,
      kept: #"{"aps":{"alert":{"loc-key":"A","loc-args":["B"]}}}"#),
    RulePair(
      "alert-text-object", broken: #"{"aps":{"alert":{"title":{"loc-key":"A"}}}}"#,
      kept: #"{"aps":{"alert":{"title-loc-key":"A"}}}"#),
    RulePair(
      "alert-for-extension", broken: #"{"aps":{"badge":1,"mutable-content":1}}"#,
      kept: #"{"aps":{"alert":"A","mutable-content":1}}"#),
  ]

  /// Texts with codes in them, and the same with the characters themselves.
  static let shownTexts =
    [
      ("Line 1\\nLine 2", "Line 1\nLine 2"), ("a\\tb", "a\tb"), ("Hi \\ud83d\\udc49", "Hi 👉"),
      ("\\u{1f449}", "👉"), ("\\U0001F449", "👉"), ("\\xe9", "é"), ("\\\"Hi\\\"", "\"Hi\""),
      ("Fish &amp; Chips", "Fish & Chips; 5"), ("it&#39;s", "it&#;s"), ("&#x1F449;", "&x;"),
      ("a&nbsp;b", "a&nbspb"), ("Line 1%0ALine 2", "100%0, 5%"), ("a%20b", "20% b"),
      ("\\ud83d", "\\udgg, C:\\Users"),
    ].map { code, plain in
      RulePair("text-code", broken: shown(code), kept: shown(plain))
    } + [
      RulePair(
        "text-code", broken: #"{"aps":{"alert":{"loc-key":"a\\nb","loc-args":["a\\nb"]}}}"#,
        kept: #"{"aps":{"alert":{"loc-key":"a\\nb","loc-args":["a"]}},"own":"a\\nb"}"#),
      RulePair(
        "text-code", broken: #"{"aps":{"alert":{"title":"A","subtitle":"a\\nb"}}}"#,
        kept: #"{"aps":{"alert":{"title":"A","subtitle":"b"},"thread-id":"a\\nb"}}"#),
      RulePair(
        "text-json", broken: shown(#"{"title":"A"}"#), kept: shown("{A}")),
      RulePair(
        "text-json", broken: #"{"aps":{"alert":{"title":"A","body":"{}"}}}"#,
        kept: #"{"aps":{"alert":{"title":"A","body":"[]"}}}"#),
      RulePair(
        "wallet-payload", broken: pass.with(body: #"{"aps":{"alert":"A"}}"#),
        kept: pass.with(body: "{}")),
      RulePair(
        "wallet-payload",
        broken: pass.with("apns-topic", "order.com.example").with(body: #"{"own":1}"#),
        kept: pass.with("apns-topic", "order.com.example").with(body: "{}")),
    ]

  private static func shown(_ text: String) -> String {
    (["aps": ["alert": JSON(.string(text))]] as JSON).encodedString()
  }

  static let typePayloads = [
    RulePair(
      "background-content-available", type: "background", broken: #"{"aps":{}}"#,
      kept: #"{"aps":{"content-available":1.0},"own":1}"#),
    RulePair(
      "background-content-available", type: "background",
      broken: #"{"aps":{"content-available":true}}"#, kept: #"{"aps":{"content-available":1}}"#),
    RulePair(
      "background-content-available", type: "background",
      broken: #"{"aps":{"content-available":2}}"#, kept: #"{"aps":{"content-available":1e0}}"#),
    RulePair(
      "background-silent", type: "background",
      broken: #"{"aps":{"content-available":1,"badge":1}}"#,
      kept: #"{"aps":{"content-available":1},"own":{"badge":1}}"#),
    RulePair(
      "background-only", type: "background",
      broken: #"{"aps":{"content-available":1,"category":"A"}}"#,
      kept: #"{"aps":{"content-available":1},"category":"A"}"#),
    RulePair(
      "content-changed", type: "widgets", broken: #"{"aps":{"content-changed":1}}"#,
      kept: #"{"aps":{"content-changed":true}}"#),
    RulePair(
      "content-changed", type: "controls", broken: #"{"aps":{}}"#,
      kept: #"{"aps":{"content-changed":true}}"#),
    RulePair(
      "content-changed-only", type: "widgets",
      broken: #"{"aps":{"content-changed":true,"alert":"A"}}"#,
      kept: #"{"aps":{"content-changed":true},"own":1}"#),
    RulePair(
      "mdm-only", type: "mdm", broken: #"{"mdm":"magic","aps":{}}"#, kept: #"{"mdm":"magic"}"#),
    RulePair("mdm-only", type: "mdm", broken: #"{"mdm":1}"#, kept: #"{"mdm":"1"}"#),
    RulePair(
      "fileprovider-container", type: "fileprovider",
      broken: #"{"content-identifier":"A","domain":"B"}"#,
      kept: #"{"container-identifier":"A","domain":"B"}"#),
    RulePair(
      "fileprovider-domain", type: "fileprovider", broken: #"{"container-identifier":"A"}"#,
      kept: #"{"container-identifier":"A","domain":"B"}"#),
  ]
}
