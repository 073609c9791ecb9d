import JSONText

/// Recognizes payloads in which APNs finds nothing because of a common mistake.
enum MistakenPayload {
  /// The fix for the payload; nil if it does not look like a known mistake.
  static func fix(for payload: DraftPayload?) -> String? {
    guard let root = payload?.json?.object else { return nil }
    if let aps = root["aps"] { return alertFix(for: aps) }
    return caseFix(for: root) ?? firebaseFix(for: root) ?? bareFix(for: root)
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

  // {"notification": {…}} and {"message": {"token": …}}
  private static func firebaseFix(for root: JSONObject) -> String? {
    let message = root[wrapper]?.object
    if message?["apns"]?["payload"]?.object != nil {
      return "This is a message for Firebase (FCM); send only its message.apns.payload."
    }
    guard
      root["notification"]?.object != nil
        || message?.keys.contains(where: firebaseKeys.contains) ?? false
    else { return nil }
    return
      "This is a message for Firebase (FCM); write {\"aps\": {\"alert\": {\"title\": …, \"body\": …}}}."
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
  private static let firebaseKeys = ["token", "topic", "condition", "notification", "android"]
  private static let alertKeys = Set(
    PayloadKeyNode.aps.children["alert"]?.children.keys ?? [:].keys)
}
