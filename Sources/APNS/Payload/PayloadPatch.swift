public import JSONText

/// The changes of options such as `--title`, which create a payload or override keys of one. They
/// fit any payload: an alert or a sound in its short form becomes an object if they need one.
public struct PayloadPatch: Sendable, Hashable {
  /// The changes as a payload of their own. A sound is always an object there, and a localized text
  /// has its keys beside it.
  private let members: JSONObject

  /// Creates a patch from changes to an empty payload.
  ///
  /// - Throws: `PayloadChangeError` if they contradict each other.
  public init(_ changes: [PayloadChange]) throws(PayloadChangeError) {
    members = try changes.applied().object ?? JSONObject()
  }

  /// Applies the changes to a payload.
  ///
  /// - Parameters:
  ///   - payload: The payload to change; nil creates one.
  ///   - now: Seconds since 1970, for the timestamp of a Live Activity.
  /// - Returns: The changed payload. If it or its `aps` is not an object, changes that do not fit
  ///   are left out, and rules report the wrong type.
  public func applied(to payload: JSON? = nil, now: Int64 = 0) -> JSON {
    let payload = payload ?? [:]
    guard !members.members.isEmpty, var root = payload.object else { return payload }
    for member in members.members where member.key != "aps" { root[member.key] = member.value }
    let given = root["aps"] ?? [:]
    if let patch = members["aps"]?.object, var aps = given.object {
      Self.apply(patch, to: &aps, now: now)
      root["aps"] = JSON(.object(aps), at: given.position)
    }
    return JSON(.object(root), at: payload.position)
  }

  private static func apply(_ patch: JSONObject, to aps: inout JSONObject, now: Int64) {
    let rest = patch.members.filter { $0.key != "alert" && $0.key != "sound" }
    let ofActivity = rest.filter { PayloadKey.isOfActivity("aps.\($0.key)") }
    // Devices ignore a Live Activity's push without a timestamp.
    if !ofActivity.isEmpty, aps["timestamp"] == nil {
      aps["timestamp"] = JSON(.number(JSONNumber(now)))
    }
    for member in ofActivity { aps[member.key] = member.value }
    let (texts, sound) = (patch["alert"]?.object, patch["sound"]?.object)
    if aps["event"] != nil {
      applyToActivity(texts, sound, &aps["alert"])
    } else {
      if let texts { aps["alert"] = alert(aps["alert"], texts) }
      if let sound { aps["sound"] = self.sound(aps["sound"], sound) }
    }
    for member in rest where !ofActivity.contains(member) { aps[member.key] = member.value }
  }

  /// Changes the alert of a Live Activity, which is always an object and also holds the sound.
  private static func applyToActivity(
    _ texts: JSONObject?, _ sound: JSONObject?, _ given: inout JSON?
  ) {
    if texts == nil, sound == nil { return }
    var alert = given?.object ?? JSONObject()
    for edit in edits(texts ?? JSONObject(), besides: given) {
      if let text = edit.text { alert[edit.name] = text }
      if edit.localization.isEmpty { continue }
      var object = alert[edit.name]?.object ?? JSONObject()
      for member in edit.localization { object[member.key] = member.value }
      alert[edit.name] = JSON(.object(object))
    }
    if let sound { alert["sound"] = self.sound(alert["sound"], sound) }
    given = JSON(.object(alert), at: given?.position)
  }

  /// The changed alert. A body alone keeps the short form; anything more needs an object.
  private static func alert(_ given: JSON?, _ texts: JSONObject) -> JSON {
    if given?.object == nil, texts.keys == ["body"], let body = texts["body"] {
      return JSON(body.content, at: given?.position)
    }
    var alert = given?.object ?? JSONObject()
    for edit in edits(texts, besides: given) {
      if let text = edit.text { alert[edit.name] = text }
      if edit.text == nil, edit.localization.first?.key == "loc-key" { alert[edit.name] = nil }
      for member in edit.localization { alert[edit.prefix + member.key] = member.value }
    }
    return JSON(.object(alert), at: given?.position)
  }

  /// The changed sound: an object if it is critical, or was one.
  private static func sound(_ given: JSON?, _ patch: JSONObject) -> JSON {
    if given?.object == nil, patch["critical"] == nil, let name = patch["name"] {
      return JSON(name.content, at: given?.position)
    }
    var (sound, patch) = (given?.object ?? JSONObject(), patch)
    if patch["name"] == nil, sound["name"] == nil {
      patch["name"] = JSON(.string(given?.string ?? "default"))
    }
    for key in ["critical", "name", "volume"] { sound[key] = patch[key] ?? sound[key] }
    return JSON(.object(sound), at: given?.position)
  }
}

extension PayloadPatch {
  /// The changes to one text of an alert.
  private struct TextEdit {
    let name: String
    /// The prefix of its localization keys beside it.
    let prefix: String
    let text: JSON?
    /// Its `loc-key` and `loc-args`.
    let localization: [JSONMember]
  }

  /// - Parameter given: The alert. If it is only text, this becomes the body unless there is a new
  ///   one.
  private static func edits(_ texts: JSONObject, besides given: JSON?) -> [TextEdit] {
    var texts = texts
    if texts["body"] == nil, texts["loc-key"] == nil {
      texts["body"] = given?.string.map { JSON(.string($0)) }
    }
    return [("title", "title-"), ("subtitle", "subtitle-"), ("body", "")].map { name, prefix in
      let localization = ["loc-key", "loc-args"].compactMap { key in
        texts[prefix + key].map { JSONMember(key: key, value: $0) }
      }
      return TextEdit(name: name, prefix: prefix, text: texts[name], localization: localization)
    }
  }
}
