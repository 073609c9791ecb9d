internal import APNS
internal import CommandLineKit
internal import JSONText
internal import PushCore

/// What the history keeps of a run's options so that it can be resumed: the words of a command line
/// that says the same, without what is sent, and the lists as they were.
struct RunSettings: Equatable {
  /// A list, and what it looked like; nil for a pipe.
  struct List: Equatable {
    var path: String
    var fingerprint: ListFingerprint?
  }

  /// Options of `send`, in which relative paths count from `folder`.
  var words: [String]
  /// Where the command was given.
  var folder: String
  /// The lists that recipients are read from or suppressed by.
  var lists: [List]
  /// Whether the payload is a template that each row fills.
  var isTemplate: Bool
}

extension RunSettings {
  /// As the history keeps it.
  var json: String {
    var json = JSONWriter()
    json.beginObject()
    json.key("words")
    json.beginArray()
    for word in words { json.string(word) }
    json.endArray()
    json.member("folder", folder)
    json.key("lists")
    json.beginArray()
    for list in lists { list.write(to: &json) }
    json.endArray()
    json.key("isTemplate")
    json.bool(isTemplate)
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Settings that the history kept; nil when they are not this version's.
  init?(json text: String) {
    guard let json = try? JSONReader().read(Array(text.utf8)),
      let words = json["words"]?.array, let folder = json["folder"]?.string,
      let lists = json["lists"]?.array
    else { return nil }
    self.words = words.compactMap(\.string)
    self.folder = folder
    self.lists = lists.compactMap { List(json: $0) }
    isTemplate = json["isTemplate"]?.bool ?? false
    if self.words.count != words.count || self.lists.count != lists.count { return nil }
  }
}

extension RunSettings.List {
  fileprivate func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("path", path)
    json.member("fingerprint", fingerprint?.text)
    json.endObject()
  }

  fileprivate init?(json: JSON) {
    guard let path = json["path"]?.string else { return nil }
    self.path = path
    fingerprint = json["fingerprint"]?.string.flatMap { ListFingerprint(text: $0) }
  }
}
