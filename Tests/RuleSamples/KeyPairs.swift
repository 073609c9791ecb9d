extension RulePair {
  private static func aps(_ rule: String, broken: String, kept: String) -> RulePair {
    RulePair(
      rule, broken: "{\"aps\":{\"alert\":\"A\",\(broken)}}",
      kept: "{\"aps\":{\"alert\":\"A\",\(kept)}}")
  }

  static let keys = [
    aps("key-kind", broken: #""badge":"3""#, kept: #""badge":3"#),
    aps("key-kind", broken: #""category":7"#, kept: #""category":"7""#),
    aps("key-kind", broken: #""content-available":"1""#, kept: #""content-available":1"#),
    aps("key-kind", broken: #""sound":{"name":1}"#, kept: #""sound":{"name":"1"}"#),
    RulePair(
      "key-kind", broken: #"{"aps":{"alert":{"loc-key":"A","loc-args":["A",1]}}}"#,
      kept: #"{"aps":{"alert":{"loc-key":"A","loc-args":["A","1"]}}}"#),
    RulePair(
      "key-kind", type: "fileprovider", broken: #"{"container-identifier":1,"domain":"B"}"#,
      kept: #"{"container-identifier":"1","domain":"B"}"#),
    aps(
      "key-word", broken: #""interruption-level":"timeSensitive""#,
      kept: #""interruption-level":"time-sensitive""#),
    aps("key-range", broken: #""badge":-1"#, kept: #""badge":0"#),
    aps("key-range", broken: #""badge":1.5"#, kept: #""badge":15"#),
    aps("key-range", broken: #""relevance-score":1.1"#, kept: #""relevance-score":1"#),
    aps("key-range", broken: #""sound":{"volume":80}"#, kept: #""sound":{"volume":0.8}"#),
    aps("key-range", broken: #""sound":{"critical":2}"#, kept: #""sound":{"critical":0}"#),
    aps("key-null", broken: #""badge":null"#, kept: #""badge":0"#),
    aps("key-switch", broken: #""content-available":0"#, kept: #""content-available":1"#),
    aps("key-switch", broken: #""mutable-content":true"#, kept: #""mutable-content":1"#),
    aps(
      "key-switch", broken: #""sound":{"critical":true,"name":"A"}"#,
      kept: #""sound":{"critical":1,"name":"A"}"#),
    aps("key-for-type", broken: #""content-state":{}"#, kept: #""target-content-id":"A""#),
    RulePair(
      "key-for-type", broken: #"{"aps":{"alert":{"body":"A","sound":"B"}}}"#,
      kept: #"{"aps":{"alert":{"body":"A"},"sound":"B"}}"#),
  ]

  static let sounds = [
    aps("sound-empty", broken: #""sound":"""#, kept: #""sound":"default""#),
    aps("sound-empty", broken: #""sound":{"name":" "}"#, kept: #""sound":{"name":"A"}"#),
    aps("sound-path", broken: #""sound":"sounds/bell.caf""#, kept: #""sound":"bell.caf""#),
    aps(
      "sound-path", broken: #""sound":{"name":"C:\\bell.wav"}"#,
      kept: #""sound":{"name":"bell.wav"}"#),
    aps("sound-format", broken: #""sound":"bell.MP3""#, kept: #""sound":"mp3""#),
    aps(
      "critical-name", broken: #""sound":{"critical":1,"volume":0.5}"#,
      kept: #""sound":{"critical":0,"volume":0.5}"#),
    aps(
      "critical-level",
      broken: #""interruption-level":"passive","sound":{"critical":1,"name":"A"}"#,
      kept: #""interruption-level":"critical","sound":{"critical":1,"name":"A"}"#),
    aps(
      "critical-level",
      broken: #""interruption-level":"active","sound":{"critical":1,"name":"A"}"#,
      kept: #""interruption-level":"critical","sound":"default""#),
  ]

  static let strayKeys = [
    aps("key-unknown", broken: #""thread_id":"A""#, kept: #""thread-id":"A""#),
    aps("key-unknown", broken: #""orderID":"A""#, kept: #""category":"A""#),
    aps("key-unknown", broken: #""title":"A""#, kept: #""filter-criteria":"A""#),
    RulePair(
      "key-unknown", broken: #"{"aps":{"alert":{"titel":"A","body":"B"}}}"#,
      kept: #"{"aps":{"alert":{"title":"A","body":"B"}},"titel":"A"}"#),
    RulePair(
      "key-misplaced", broken: #"{"aps":{"alert":"A"},"mutable-content":1}"#,
      kept: #"{"aps":{"alert":"A","mutable-content":1},"category":"own"}"#),
    RulePair(
      "key-misplaced", broken: #"{"aps":{"alert":"A"},"sound":"B"}"#,
      kept: #"{"aps":{"alert":"A","sound":"B"},"sound":"own"}"#),
    RulePair(
      "header-in-payload", broken: #"{"aps":{"alert":"A"},"apns-push-type":"alert"}"#,
      kept: #"{"aps":{"alert":"A"},"topic":"own"}"#),
    RulePair(
      "header-in-payload", broken: #"{"aps":{"alert":"A"},"priority":10}"#,
      kept: #"{"aps":{"alert":"A"},"priority":"low"}"#),
    RulePair(
      "header-in-payload", broken: #"{"aps":{"alert":"A","priority":5}}"#,
      kept: #"{"aps":{"alert":"A"},"own":{"priority":5}}"#),
    RulePair(
      "header-in-payload", broken: #"{"aps":{"alert":"A"},"headers":{"apns-priority":"5"}}"#,
      kept: #"{"aps":{"alert":"A"},"headers":{}}"#),
    RulePair(
      "header-in-payload", broken: #"{"aps":{"alert":"A"},"apns":{"own":{"apns-priority":5}}}"#,
      kept: #"{"aps":{"alert":"A"},"own":{"apns-priority":5,"mine":1}}"#),
    RulePair(
      "header-in-payload", broken: #"{"aps":{"alert":"A"},"headers":{"topic":"a","priority":5}}"#,
      kept: #"{"aps":{"alert":"A"},"headers":{"topic":"a","mine":5}}"#),
    RulePair(
      "key-ended", broken: #"{"aps":{"alert":{"title":"A","summary-arg":"B"}}}"#,
      kept: #"{"aps":{"alert":{"title":"A"}},"summary-arg":"B"}"#),
    RulePair(
      "key-ended", broken: #"{"aps":{"alert":{"title":"A","summary-arg-count":2}}}"#,
      kept: #"{"aps":{"alert":{"title":"A","action-loc-key":"B"}}}"#),
    RulePair(
      "key-for-type", broken: #"{"aps":{"alert":"A","ptt-push-type":"service-update"}}"#,
      kept: #"{"aps":{"alert":"A"},"service":"update"}"#),
  ]
}
