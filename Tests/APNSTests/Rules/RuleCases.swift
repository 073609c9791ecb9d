import APNS
import JSONText

extension RuleCase {
  static let all = headers + topics + pushTypes + fields + payloads

  private static let background: JSON = ["aps": ["content-available": 1]]
  private static let activity: JSON = ["aps": ["event": "end", "timestamp": 1_700_000_000]]

  private static func header(_ name: String, _ value: String, breaks rules: String...) -> RuleCase {
    RuleCase(
      name: "\(name): \(value)", draft: .sample(fields: [DraftField(name, value)]), broken: rules)
  }

  private static let headers = [
    RuleCase(name: "nothing wrong", draft: .sample(), broken: []),
    header("apns-new", "something else"),
    header("a b", "c", breaks: "header-name"),
    header("", "c", breaks: "header-name"),
    header("apns-new", "a\r\nb: c", breaks: "header-characters"),
    header("apns-new", "é", breaks: "header-characters"),
    header("apns-new", " a", breaks: "header-characters"),
    header("apns-new", String(repeating: "a", count: 5000), breaks: "header-characters"),
    header("authorization", "bearer x", breaks: "header-forbidden"),
    header("Connection", "close", breaks: "header-forbidden"),
    header("transfer-encoding", "chunked", breaks: "header-forbidden"),
    header("host", "example.com", breaks: "header-forbidden"),
    header("content-length", "4", breaks: "header-forbidden"),
    header(":path", "/", breaks: "header-forbidden"),
    header("apns-topic", "com.example.shop", breaks: "header-twice"),
  ]

  private static func topic(_ text: String, _ type: String, breaks rules: String...) -> RuleCase {
    let payload =
      switch type {
      case "background": background
      case "liveactivity": activity
      case "mdm": ["mdm": "magic"] as JSON
      default: ["aps": ["alert": "Hello"]] as JSON
      }
    return RuleCase(
      name: "\(type) \(text)", draft: .sample(topic: text, type: type, payload: payload),
      broken: rules)
  }

  private static let topics = [
    topic("", "alert", breaks: "topic-missing"),
    topic("com.example..shop", "alert", breaks: "topic-form"),
    topic("com example", "alert", breaks: "topic-form"),
    topic("com.example.shop.voip", "voip"),
    topic("com.apple.mgmt.External.1", "mdm"),
    topic("com.example.shop", "voip", breaks: "topic-suffix-missing"),
    topic(
      "com.example.shop.voip", "pushtotalk", breaks: "topic-suffix-missing",
      "topic-perhaps-of-other-type"),
    topic("com.example.shop.push-type.liveactivity", "liveactivity"),
    topic(
      "com.example.shop.push-type.liveactivity.push-type.liveactivity", "liveactivity",
      breaks: "topic-suffix-twice"),
    topic("com.example.shop.voip.voip", "voip", breaks: "topic-suffix-twice"),
    topic("com.example.shop.push-type.widgets", "alert", breaks: "topic-of-other-type"),
    topic("com.example.shop.voip", "alert", breaks: "topic-perhaps-of-other-type"),
    topic("com.example.shop.complication", "background", breaks: "topic-perhaps-of-other-type"),
  ]

  private static let pushTypes = [
    topic("com.example.shop", "", breaks: "push-type-missing"),
    RuleCase(
      name: "no push type, and a payload that cannot be read",
      draft: .sample(type: "", text: "{"), broken: ["payload-json"]),
    RuleCase(
      name: "no push type, and a payload that is an array",
      draft: .sample(type: "", text: "[]"), broken: ["payload-object"]),
    topic("com.example.shop", "Alert", breaks: "push-type-unknown"),
    RuleCase(
      name: "location with a certificate",
      draft: .sample(topic: "com.example.shop.location-query", type: "location"),
      broken: ["authentication-for-type"], authentication: .certificate),
    RuleCase(
      name: "location with a token",
      draft: .sample(topic: "com.example.shop.location-query", type: "location"), broken: [],
      authentication: .token),
    RuleCase(
      name: "mdm with a token",
      draft: .sample(topic: "com.apple.mgmt.External.1", type: "mdm", payload: ["mdm": "magic"]),
      broken: ["authentication-for-type"], authentication: .token),
  ]

  private static func priority(
    _ value: String, _ type: String, _ payload: JSON, breaks rules: String...
  ) -> RuleCase {
    let topic = type == "liveactivity" ? "com.example.shop.push-type.liveactivity" : nil
    return RuleCase(
      name: "\(type) at \(value)",
      draft: .sample(
        topic: topic ?? "com.example.shop", type: type, fields: [DraftField(.priority, value)],
        payload: payload), broken: rules)
  }

  private static let fields = [
    header("apns-id", "123E4567-e89b-42d3-a456-426614174000"),
    header("apns-id", "42", breaks: "apns-id-form"),
    header("apns-expiration", "0"),
    header("apns-expiration", "1700003600"),
    header("apns-expiration", "1h", breaks: "expiration-form"),
    header("apns-expiration", "1699999999", breaks: "expiration-past"),
    header("apns-expiration", "1700003600000", breaks: "expiration-milliseconds"),
    header("apns-priority", "1"),
    header("apns-priority", "high", breaks: "priority-form"),
    priority("10", "background", background, breaks: "priority-for-type"),
    priority("5", "background", background),
    priority("1", "background", background, breaks: "priority-doubtful"),
    priority("5", "liveactivity", activity),
    priority("1", "liveactivity", activity, breaks: "priority-doubtful"),
    header("apns-collapse-id", String(repeating: "a", count: 64)),
    header("apns-collapse-id", String(repeating: "é", count: 33), breaks: "collapse-id-form"),
    header("apns-collapse-id", "", breaks: "collapse-id-form"),
    header("apns-collapse-id", "a\nb", breaks: "header-characters"),
  ]

  private static func payload(
    _ text: String, _ type: String = "alert", breaks rules: String...
  ) -> RuleCase {
    let topic = type == "mdm" ? "com.apple.mgmt.1" : "com.example.shop"
    let suffix = PushType(rawValue: type)?.info?.suffix ?? ""
    return RuleCase(
      name: "\(type) \(text.prefix(60)), \(text.utf8.count) bytes",
      draft: .sample(topic: topic + suffix, type: type, text: text), broken: rules)
  }

  private static func padded(to count: Int) -> String {
    let (start, end) = (#"{"aps":{"alert":""#, #""}}"#)
    return start + String(repeating: "a", count: count - start.count - end.count) + end
  }

  private static let payloads = [
    payload("", breaks: "payload-missing"),
    payload(padded(to: 4096)),
    payload(padded(to: 4097), breaks: "payload-size"),
    payload(padded(to: 5120), "voip"),
    payload(padded(to: 5121), "voip", breaks: "payload-size"),
    RuleCase(
      name: "voip in a simulator", draft: .sample(type: "voip", text: padded(to: 5120)),
      broken: ["payload-size", "simulator-type"], audience: .simulator),
    payload("{\"aps\":", breaks: "payload-json"),
    payload("{\"aps\":{},\"aps\":{}}", breaks: "payload-duplicate-key"),
    payload("[]", breaks: "payload-object"),
    payload("{}", breaks: "aps-missing"),
    payload("{}", "voip"),
    payload(#"{"container-identifier":"a","domain":"b"}"#, "fileprovider"),
    RuleCase(
      name: "no headers and no aps in a simulator", draft: .sample(topic: "", type: "", text: "{}"),
      broken: ["aps-missing"], audience: .simulator),
    payload(#"{"aps":"hello"}"#, breaks: "aps-object"),
    payload(#"{"aps":{"badge":1},"n":1e400}"#, breaks: "payload-number"),
    payload(#"{"aps":{"content-available":1.0},"own":1}"#, "background"),
    payload(#"{"aps":{}}"#, "background", breaks: "background-content-available"),
    payload(
      #"{"aps":{"content-available":0}}"#, "background", breaks: "background-content-available"),
    payload(
      #"{"aps":{"content-available":true}}"#, "background", breaks: "background-content-available"),
    payload(
      #"{"aps":{"content-available":1,"alert":"a","badge":1,"sound":"b"}}"#, "background",
      breaks: "background-silent", "background-silent", "background-silent"),
    payload(#"{"mdm":"magic"}"#, "mdm"),
    payload(#"{"mdm":1}"#, "mdm", breaks: "mdm-only"),
    payload(#"{"mdm":"magic","aps":{}}"#, "mdm", breaks: "mdm-only"),
    payload(#"{"aps":{}}"#, "mdm", breaks: "mdm-only", "mdm-only"),
  ]
}
