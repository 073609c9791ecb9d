internal import APNS
internal import CommandLineKit
internal import JSONText
internal import PushModel
internal import Recipients

/// What the history keeps of a run's options so that it can be resumed: the words of a command line
/// that says the same, without what is sent, and the lists as they were.
struct RunSettings: Equatable {
  /// A list, and what it looked like; nil for one that could be read only once.
  struct List: Equatable {
    var path: String
    var fingerprint: ListFingerprint?
  }

  /// Where recipients came from.
  enum Recipients: Equatable {
    case tokens([DeviceToken], name: String)
    case list(List)
  }

  /// Options of `send`, in which relative paths count from `folder`.
  var words: [String]
  /// Where the command was given.
  var folder: String
  /// Who is sent to, in order.
  var recipients: [Recipients]
  /// The lists of who is not sent to.
  var suppressed: [List]
  /// Whether the payload is a template that each row fills.
  var isTemplate: Bool
  /// The run whose pushes are sent again: then each row of a template has its payload already.
  var resends: RunNumber?
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
    json.key("recipients")
    json.beginArray()
    for source in recipients { source.write(to: &json) }
    json.endArray()
    json.key("suppressed")
    json.beginArray()
    for list in suppressed { list.write(to: &json) }
    json.endArray()
    json.key("isTemplate")
    json.bool(isTemplate)
    if let resends { json.member("resends", resends.rawValue) }
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Settings that the history kept; nil when they are not this version's.
  init?(json text: String) {
    guard let json = try? JSONReader().read(Array(text.utf8)),
      let words = json["words"]?.array, let folder = json["folder"]?.string,
      let recipients = json["recipients"]?.array, let suppressed = json["suppressed"]?.array
    else { return nil }
    self.words = words.compactMap(\.string)
    self.folder = folder
    self.recipients = recipients.compactMap { Recipients(json: $0) }
    self.suppressed = suppressed.compactMap { List(json: $0) }
    isTemplate = json["isTemplate"]?.bool ?? false
    resends = (json["resends"]?.number?.int).flatMap { RunNumber(rawValue: Int64($0)) }
    if self.words.count != words.count || self.recipients.count != recipients.count
      || self.suppressed.count != suppressed.count
    {
      return nil
    }
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

extension RunSettings.Recipients {
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .list(let list): list.write(to: &json)
    case .tokens(let tokens, let name):
      json.beginObject()
      json.member("name", name)
      json.key("tokens")
      json.beginArray()
      for token in tokens { json.string(token.hex) }
      json.endArray()
      json.endObject()
    }
  }

  fileprivate init?(json: JSON) {
    guard let name = json["name"]?.string, let tokens = json["tokens"]?.array else {
      guard let list = RunSettings.List(json: json) else { return nil }
      self = .list(list)
      return
    }
    let read = tokens.compactMap { $0.string.flatMap { try? DeviceToken(tidying: $0) } }
    guard read.count == tokens.count else { return nil }
    self = .tokens(read, name: name)
  }
}
