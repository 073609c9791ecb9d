import APNS
import JSONText
import Testing

@Suite struct PayloadEditsTests {
  static func edits(_ change: (inout PayloadEdits) -> Void) -> PayloadEdits {
    var edits = PayloadEdits()
    change(&edits)
    return edits
  }

  static let made: [(PayloadEdits, String)] = [
    (edits { $0.body = "Hi" }, #"{"aps":{"alert":"Hi"}}"#),
    (edits { $0.title = "A" }, #"{"aps":{"alert":{"title":"A"}}}"#),
    (
      edits {
        $0.title = "A"
        $0.subtitle = "B"
        $0.body = "C"
      }, #"{"aps":{"alert":{"title":"A","subtitle":"B","body":"C"}}}"#
    ),
    (edits { $0.badge = 0 }, #"{"aps":{"badge":0}}"#),
    (edits { $0.contentAvailable = true }, #"{"aps":{"content-available":1}}"#),
    (edits { $0.data = [JSONMember(key: "order", value: 7)] }, #"{"order":7}"#),
    (
      edits {
        $0.sound = "default"
        $0.category = "c"
        $0.threadID = "t"
        $0.interruptionLevel = "active"
        $0.relevanceScore = JSONNumber(1)
        $0.mutableContent = true
      },
      #"{"aps":{"sound":"default","category":"c","thread-id":"t","interruption-level":"active","#
        + #""relevance-score":1,"mutable-content":1}}"#
    ),
  ]

  static let localized: [(PayloadEdits, String, String)] = [
    (
      edits {
        $0.titleLocKey = "T"
        $0.locKey = "B"
        $0.locArgs = ["a", "b"]
      }, "{}", #"{"aps":{"alert":{"title-loc-key":"T","loc-key":"B","loc-args":["a","b"]}}}"#
    ),
    (edits { $0.locKey = "B" }, #"{"aps":{"alert":"x"}}"#, #"{"aps":{"alert":{"loc-key":"B"}}}"#),
    (
      edits { $0.titleLocKey = "T" }, #"{"aps":{"alert":"x"}}"#,
      #"{"aps":{"alert":{"title-loc-key":"T","body":"x"}}}"#
    ),
    (
      edits { $0.locKey = "B" }, #"{"aps":{"alert":{"title":"t","body":"x"}}}"#,
      #"{"aps":{"alert":{"title":"t","loc-key":"B"}}}"#
    ),
    (
      edits { $0.titleLocArgs = ["7"] }, #"{"aps":{"alert":{"title-loc-key":"T"}}}"#,
      #"{"aps":{"alert":{"title-loc-key":"T","title-loc-args":["7"]}}}"#
    ),
    (
      edits {
        $0.titleLocKey = "T"
        $0.locArgs = ["7"]
        $0.sound = "horn.caf"
      }, #"{"aps":{"event":"update","alert":{"title":"t","body":{"loc-key":"B"}}}}"#,
      #"{"aps":{"event":"update","alert":{"title":{"loc-key":"T"},"body":{"loc-key":"B","#
        + #""loc-args":["7"]},"sound":"horn.caf"}}}"#
    ),
  ]

  @Test(
    "Localized texts take the place of plain ones, and are objects in a Live Activity",
    arguments: localized)
  func localization(edits: PayloadEdits, given: String, text: String) throws {
    #expect(edits.apply(to: try JSONReader().read(given)).encodedString() == text)
  }

  static let criticals: [(PayloadEdits, String, String)] = [
    (edits { $0.critical = CriticalSound() }, "{}", #"{"critical":1,"name":"default"}"#),
    (
      edits { $0.critical = CriticalSound(volume: JSONNumber(parsing: "0.50")) },
      #"{"aps":{"sound":"x"}}"#, #"{"critical":1,"name":"x","volume":0.50}"#
    ),
    (
      edits {
        $0.critical = CriticalSound()
        $0.sound = "y"
      }, #"{"aps":{"sound":{"name":"x","volume":1}}}"#, #"{"name":"y","volume":1,"critical":1}"#
    ),
    (
      edits { $0.critical = CriticalSound() }, #"{"aps":{"sound":{"critical":0,"name":"x"}}}"#,
      #"{"critical":1,"name":"x"}"#
    ),
  ]

  @Test(
    "A critical alert has an object as its sound, with what was said of it", arguments: criticals)
  func critical(edits: PayloadEdits, given: String, text: String) throws {
    let payload = edits.apply(to: try JSONReader().read(given))
    #expect(payload["aps"]?["sound"]?.encodedString() == text)
  }

  static let activities: [(PayloadEdits, String, String)] = [
    (
      edits {
        $0.liveActivity.event = .update
        $0.liveActivity.contentState = ["minutes": 5]
      }, "{}", #"{"aps":{"timestamp":1000,"event":"update","content-state":{"minutes":5}}}"#
    ),
    (
      edits {
        $0.liveActivity.event = .end
        $0.liveActivity.dismissalDate = "1h"
        $0.liveActivity.staleDate = "2000"
      }, #"{"aps":{"timestamp":7,"event":"update"}}"#,
      #"{"aps":{"timestamp":7,"event":"end","stale-date":2000,"dismissal-date":4600}}"#
    ),
    (
      edits {
        $0.liveActivity.event = .start
        $0.liveActivity.attributesType = "Ride"
        $0.liveActivity.attributes = [:]
        $0.liveActivity.staleDate = "{{until}}"
        $0.body = "Hi"
        $0.sound = "default"
      }, "{}",
      #"{"aps":{"timestamp":1000,"event":"start","attributes-type":"Ride","attributes":{},"#
        + #""stale-date":"{{until}}","alert":{"body":"Hi","sound":"default"}}}"#
    ),
    (
      edits { $0.liveActivity.contentState = [:] }, #"{"aps":{"event":"update"}}"#,
      #"{"aps":{"event":"update","timestamp":1000,"content-state":{}}}"#
    ),
  ]

  @Test("A Live Activity's timestamp is now unless it is given", arguments: activities)
  func activity(edits: PayloadEdits, given: String, text: String) throws {
    #expect(edits.apply(to: try JSONReader().read(given), now: 1000).encodedString() == text)
  }

  @Test("Options alone make a payload", arguments: made)
  func fromNothing(edits: PayloadEdits, text: String) {
    #expect(edits.apply().encodedString() == text)
  }

  static let edited: [(PayloadEdits, String, String)] = [
    (
      edits { $0.title = "A" }, #"{"aps":{"alert":"B"}}"#,
      #"{"aps":{"alert":{"title":"A","body":"B"}}}"#
    ),
    (edits { $0.body = "C" }, #"{"aps":{"alert":"B"}}"#, #"{"aps":{"alert":"C"}}"#),
    (
      edits { $0.body = "C" }, #"{"aps":{"alert":{"title":"A","body":"B"}}}"#,
      #"{"aps":{"alert":{"title":"A","body":"C"}}}"#
    ),
    (
      edits { $0.badge = 2 }, #"{"own":1,"aps":{"badge":1,"sound":"x"},"last":2}"#,
      #"{"own":1,"aps":{"badge":2,"sound":"x"},"last":2}"#
    ),
    (
      edits { $0.sound = "y" }, #"{"aps":{"sound":{"critical":1,"name":"x"}}}"#,
      #"{"aps":{"sound":{"critical":1,"name":"y"}}}"#
    ),
    (edits { $0.badge = 2 }, #"{"own":1}"#, #"{"own":1,"aps":{"badge":2}}"#),
    (edits { $0.badge = 2 }, #"{"aps":5}"#, #"{"aps":5}"#),
    (edits { $0.badge = 2 }, "[1]", "[1]"),
    (PayloadEdits(), #"{"own":1}"#, #"{"own":1}"#),
  ]

  @Test("Options override keys of a payload and leave the rest", arguments: edited)
  func overriding(edits: PayloadEdits, given: String, text: String) throws {
    #expect(edits.apply(to: try JSONReader().read(given)).encodedString() == text)
  }

  @Test("The places of what was not changed survive")
  func places() throws {
    let given = try JSONReader().read("{\n\"own\":1}")
    let payload = Self.edits { $0.badge = 1 }.apply(to: given)
    #expect(payload["own"]?.position?.line == 2)
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
