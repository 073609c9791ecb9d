import JSONText

/// A payload in which APNs finds nothing because of a common mistake.
struct MistakenPayload {
  /// The mistake, in one sentence; nil if the fix alone tells it.
  let message: String?
  /// The fix, in one sentence.
  let fix: String

  /// Recognizes a mistake; nil if the payload does not look like one.
  init?(_ payload: DraftPayload?) {
    guard let root = payload?.json?.object else { return nil }
    if let aps = root["aps"] {
      guard let fix = Self.alertFix(for: aps) else { return nil }
      (message, self.fix) = (nil, fix)
    } else if let fix = Self.caseFix(for: root) {
      (message, self.fix) = (nil, fix)
    } else if let service = OtherService.table.first(where: { $0.part(root) != nil }) {
      message = service.message
      fix = service.part(root) ?? ""
    } else if let fix = Self.bareFix(for: root) {
      (message, self.fix) = (nil, fix)
    } else {
      return nil
    }
  }

  // {"aps": {"title": …}}
  private static func alertFix(for aps: JSON) -> String? {
    let known = aps.object?.keys.filter(alertKeys.contains) ?? []
    guard aps["alert"] == nil, !known.isEmpty else { return nil }
    let members = known.map { "\"\($0)\": …" }.joined(separator: ", ")
    return "Write \"aps\": {\"alert\": {\(members)}}."
  }

  // {"APS": {…}}
  private static func caseFix(for root: JSONObject) -> String? {
    root.keys.first { $0.lowercased() == "aps" }.map {
      "Rename \"\($0)\" to \"aps\"; keys are case-sensitive."
    }
  }

  // {"alert": …}
  private static func bareFix(for root: JSONObject) -> String? {
    let bare = root.keys.filter { PayloadKeyNode.aps.children[$0] != nil }
    guard bare.contains(where: loudKeys.contains) else { return nil }
    let members = bare.map { "\"\($0)\": …" }.joined(separator: ", ")
    return "Write {\"aps\": {\(members)}}; APNs looks only inside aps."
  }

  /// The key that wraps a message to FCM, whose value is examined.
  static let wrapper = "message"

  private static let loudKeys = ["alert", "badge", "sound"]
  private static let alertKeys = Set(
    PayloadKeyNode.aps.children["alert"]?.children.keys ?? [:].keys)
}

/// A service whose messages are taken for payloads.
private struct OtherService {
  /// The mistake, in one sentence.
  let message: String
  /// Tells which part of a message to send; nil for anything but a message of the service.
  let part: @Sendable (JSONObject) -> String?

  private init(_ name: String, part: @escaping @Sendable (JSONObject) -> String?) {
    self.init(message: "This is a message for \(name), not a payload.", part: part)
  }

  private init(message: String, part: @escaping @Sendable (JSONObject) -> String?) {
    (self.message, self.part) = (message, part)
  }

  /// The services, the most certain first.
  static let table = [
    OtherService("Firebase (FCM)") { root in
      if root[MistakenPayload.wrapper]?["apns"]?["payload"]?.object != nil {
        return "Send only its message.apns.payload."
      }
      if root["apns"]?["payload"]?.object != nil { return "Send only its apns.payload." }
      let message = root[MistakenPayload.wrapper]?.object
      let isWrapped = message?.keys.contains(where: firebaseKeys.contains) ?? false
      let isOld = root["notification"]?.object != nil || root["registration_ids"]?.array != nil
      return isWrapped || isOld ? asAlert : nil
    },
    OtherService("Amazon SNS") { root in
      root.members.first { $0.key.hasPrefix("APNS") && $0.value.string != nil }.map {
        "Send only the text of its \(printable($0.key)): the JSON that stands there in quotes."
      }
    },
    OtherService("Expo") { root in
      let isTo = root["to"]?.string?.contains("PushToken[") ?? false
      return isTo ? "\(asAlert) Its 'to' takes no device token of APNs." : nil
    },
    OtherService("OneSignal") { root in
      root["app_id"] != nil && root["contents"] != nil ? asAlert : nil
    },
    OtherService(message: "This is a payload with headers beside it.") { root in
      root["payload"]?["aps"] != nil
        ? "Send only its payload; headers have options of their own, such as --priority." : nil
    },
  ]

  private static let firebaseKeys = ["token", "topic", "condition", "notification", "android"]
  private static let asAlert = "Write {\"aps\": {\"alert\": {\"title\": …, \"body\": …}}}."
}
