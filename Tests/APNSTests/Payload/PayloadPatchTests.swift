import APNS
import JSONText
import Testing

@Suite struct PayloadPatchTests {
  /// The patch of changes written as for `--set`.
  static func patch(_ changes: String...) throws -> PayloadPatch {
    try PayloadPatch(try changes.map { try PayloadChange($0) })
  }

  private static func expect(
    _ changes: [String], to given: String?, give text: String, now: Int64 = 0
  ) throws {
    let patch = try PayloadPatch(try changes.map { try PayloadChange($0) })
    let payload = try given.map { try JSONReader().read($0) }
    #expect(patch.applied(to: payload, now: now).encodedString() == text, "\(changes)")
  }

  static let made: [(changes: [String], text: String)] = [
    (["aps.alert.body=Hi"], #"{"aps":{"alert":"Hi"}}"#),
    (["aps.alert.title=A"], #"{"aps":{"alert":{"title":"A"}}}"#),
    (
      ["aps.alert.title=A", "aps.alert.subtitle=B", "aps.alert.body=C"],
      #"{"aps":{"alert":{"title":"A","subtitle":"B","body":"C"}}}"#
    ),
    (["aps.badge:=0"], #"{"aps":{"badge":0}}"#), (["order:=7"], #"{"order":7}"#),
    (
      ["aps.category=c", "aps.sound.name=default", "aps.thread-id=t", "own:=1"],
      #"{"own":1,"aps":{"sound":"default","category":"c","thread-id":"t"}}"#
    ),
  ]

  @Test("Options alone make a payload", arguments: made)
  func fromNothing(changes: [String], text: String) throws {
    try Self.expect(changes, to: nil, give: text)
  }

  static let localized: [(changes: [String], given: String, text: String)] = [
    (
      ["aps.alert.title-loc-key=T", "aps.alert.loc-key=B", #"aps.alert.loc-args:=["a","b"]"#], "{}",
      #"{"aps":{"alert":{"title-loc-key":"T","loc-key":"B","loc-args":["a","b"]}}}"#
    ),
    (["aps.alert.loc-key=B"], #"{"aps":{"alert":"x"}}"#, #"{"aps":{"alert":{"loc-key":"B"}}}"#),
    (
      ["aps.alert.title-loc-key=T"], #"{"aps":{"alert":"x"}}"#,
      #"{"aps":{"alert":{"title-loc-key":"T","body":"x"}}}"#
    ),
    (
      ["aps.alert.loc-key=B"], #"{"aps":{"alert":{"title":"t","body":"x"}}}"#,
      #"{"aps":{"alert":{"title":"t","loc-key":"B"}}}"#
    ),
    (
      [#"aps.alert.title-loc-args:=["7"]"#], #"{"aps":{"alert":{"title-loc-key":"T"}}}"#,
      #"{"aps":{"alert":{"title-loc-key":"T","title-loc-args":["7"]}}}"#
    ),
    (
      ["aps.alert.title-loc-key=T", #"aps.alert.loc-args:=["7"]"#, "aps.sound.name=horn.caf"],
      #"{"aps":{"event":"update","alert":{"title":"t","body":{"loc-key":"B"}}}}"#,
      #"{"aps":{"event":"update","alert":{"title":{"loc-key":"T"},"body":{"loc-key":"B","#
        + #""loc-args":["7"]},"sound":"horn.caf"}}}"#
    ),
  ]

  @Test(
    "Localized texts take the place of plain ones, and are objects in a Live Activity",
    arguments: localized)
  func localization(changes: [String], given: String, text: String) throws {
    try Self.expect(changes, to: given, give: text)
  }

  static let criticals: [(changes: [String], given: String, text: String)] = [
    (["aps.sound.critical:=1"], "{}", #"{"critical":1,"name":"default"}"#),
    (
      ["aps.sound.critical:=1", "aps.sound.volume:=0.50"], #"{"aps":{"sound":"x"}}"#,
      #"{"critical":1,"name":"x","volume":0.50}"#
    ),
    (
      ["aps.sound.name=y", "aps.sound.critical:=1"],
      #"{"aps":{"sound":{"name":"x","volume":1}}}"#, #"{"name":"y","volume":1,"critical":1}"#
    ),
    (
      ["aps.sound.critical:=1"], #"{"aps":{"sound":{"critical":0,"name":"x"}}}"#,
      #"{"critical":1,"name":"x"}"#
    ),
  ]

  @Test(
    "A critical alert has an object as its sound, with what was said of it", arguments: criticals)
  func critical(changes: [String], given: String, text: String) throws {
    try Self.expect(changes, to: given, give: #"{"aps":{"sound":\#(text)}}"#)
  }

  static let activities: [(changes: [String], given: String, text: String)] = [
    (
      ["aps.event=update", #"aps.content-state:={"minutes":5}"#], "{}",
      #"{"aps":{"timestamp":1000,"event":"update","content-state":{"minutes":5}}}"#
    ),
    (
      ["aps.event=end", "aps.stale-date:=2000"], #"{"aps":{"timestamp":7,"event":"update"}}"#,
      #"{"aps":{"timestamp":7,"event":"end","stale-date":2000}}"#
    ),
    (
      ["aps.alert.body=Hi", "aps.sound.name=default", "aps.event=start", "aps.attributes:={}"],
      "{}",
      #"{"aps":{"timestamp":1000,"event":"start","attributes":{},"#
        + #""alert":{"body":"Hi","sound":"default"}}}"#
    ),
    (
      ["aps.content-state:={}"], #"{"aps":{"event":"update"}}"#,
      #"{"aps":{"event":"update","timestamp":1000,"content-state":{}}}"#
    ),
    (
      ["aps.sound.name=s"], #"{"aps":{"event":"update","alert":"x"}}"#,
      #"{"aps":{"event":"update","alert":{"body":"x","sound":"s"}}}"#
    ),
  ]

  @Test("A Live Activity's timestamp is now unless it is given", arguments: activities)
  func activity(changes: [String], given: String, text: String) throws {
    try Self.expect(changes, to: given, give: text, now: 1000)
  }

  static let edited: [(changes: [String], given: String, text: String)] = [
    (
      ["aps.alert.title=A"], #"{"aps":{"alert":"B"}}"#,
      #"{"aps":{"alert":{"title":"A","body":"B"}}}"#
    ),
    (["aps.alert.body=C"], #"{"aps":{"alert":"B"}}"#, #"{"aps":{"alert":"C"}}"#),
    (
      ["aps.alert.body=C"], #"{"aps":{"alert":{"title":"A","body":"B"}}}"#,
      #"{"aps":{"alert":{"title":"A","body":"C"}}}"#
    ),
    (
      ["aps.badge:=2"], #"{"own":1,"aps":{"badge":1,"sound":"x"},"last":2}"#,
      #"{"own":1,"aps":{"badge":2,"sound":"x"},"last":2}"#
    ),
    (
      ["aps.sound.name=y"], #"{"aps":{"sound":{"critical":1,"name":"x"}}}"#,
      #"{"aps":{"sound":{"critical":1,"name":"y"}}}"#
    ),
    (["aps.badge:=2"], #"{"own":1}"#, #"{"own":1,"aps":{"badge":2}}"#),
    (["aps.badge:=2"], #"{"aps":5}"#, #"{"aps":5}"#), (["aps.badge:=2"], "[1]", "[1]"),
    ([], #"{"own":1}"#, #"{"own":1}"#),
  ]

  @Test("Options override keys of a payload and leave the rest", arguments: edited)
  func overriding(changes: [String], given: String, text: String) throws {
    try Self.expect(changes, to: given, give: text)
  }

  @Test("The places of what was not changed survive")
  func places() throws {
    let given = try JSONReader().read("{\n\"own\":1}")
    #expect(try Self.patch("aps.badge:=1").applied(to: given)["own"]?.position?.line == 2)
  }
}

@Suite struct PushTypeInferenceTests {
  @Test(
    "A payload that clearly belongs to a push type tells it",
    arguments: [
      (#"{"mdm":"magic"}"#, "mdm"),
      (#"{"aps":{"content-available":1},"own":1}"#, "background"),
      (#"{"aps":{"event":"update","content-state":{}}}"#, "liveactivity"),
      (#"{"aps":{"event":"end","timestamp":1,"alert":"x"}}"#, "liveactivity"),
      (#"{"container-identifier":"a","domain":"b"}"#, "fileprovider"),
      (#"{"aps":{"alert":"a"}}"#, "alert"), (#"{"aps":{"badge":0}}"#, "alert"),
      (#"{"aps":{"sound":"a","content-available":1}}"#, "alert"),
    ])
  func told(text: String, type: String) throws {
    #expect(PushTypeInference.infer(from: try JSONReader().read(text))?.rawValue == type)
  }

  @Test(
    "Any other payload does not",
    arguments: [
      "[]", "{}", #"{"aps":{}}"#, #"{"own":1}"#, #"{"mdm":"magic","own":1}"#,
      #"{"aps":{"event":"end"}}"#, #"{"aps":{"content-changed":true}}"#, #"{"aps":"alert"}"#,
    ])
  func silent(text: String) throws {
    #expect(PushTypeInference.infer(from: try JSONReader().read(text)) == nil)
  }

  @Test("A payload without aps to a pass type ID goes in the background")
  func pass() throws {
    let cases =
      [
        ("{}", "pass.com.example.shop", "background"), ("{}", "com.example.pass", nil),
        ("{}", "com.example.shop", nil), (#"{"own":1}"#, "pass.com.example.shop", "background"),
        (#"{"aps":{"alert":"a"}}"#, "pass.com.example.shop", "alert"),
        ("{}", "order.com.example.shop", "background"), ("{}", "com.example.order", nil),
        (#"{"mdm":"a","aps":{"content-available":1}}"#, "com.apple.mgmt.External.1", "mdm"),
      ] as [(String, String, String?)]
    for (text, topic, type) in cases {
      let payload = try JSONReader().read(text)
      #expect(PushTypeInference.infer(from: payload, topic: topic)?.rawValue == type)
    }
  }

  @Test("The simulator's key is taken out of a payload, and nothing else")
  func simulatorKey() throws {
    let text = #"{"Simulator Target Bundle":"com.example","aps":{"alert":"a"}}"#
    let (payload, target) = SimulatorTarget.strip(from: try JSONReader().read(text))
    #expect(payload.encodedString() == #"{"aps":{"alert":"a"}}"#)
    #expect(target?.string == "com.example")
    #expect(SimulatorTarget.strip(from: payload).target == nil)
  }

  @Test("An empty payload is none")
  func emptyPayload() {
    #expect(Payload([]) == nil)
    #expect(Payload([0x7B, 0x7D])?.bytes == [0x7B, 0x7D])
  }

  @Test("A value is of the kind it looks like")
  func kinds() {
    #expect(PayloadKey.Kind.texts.matches(["a", "b"]))
    #expect(!PayloadKey.Kind.texts.matches(["a", 1]))
    #expect(!PayloadKey.Kind.allCases.contains { $0.matches(nil) })
    #expect(PayloadKey.Kind.bool.matches(true))
    #expect(!PayloadKey.Kind.number.matches("1"))
  }
}
