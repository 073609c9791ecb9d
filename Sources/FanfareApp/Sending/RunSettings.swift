internal import APNS
internal import JSONText
internal import POSIX
internal import Projects
internal import PushModel
internal import Recipients

/// What the history keeps of a run so that it can be taken up: its settings, and the lists as they
/// were.
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

  /// The run's own settings. Paths count from here.
  var settings: Settings
  /// Where the command was given: paths of lists count from there.
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
    json.key("settings")
    json.value(settings.kept)
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

  /// What the history kept, by this version or by 0.1; nil when it is something else.
  init?(json text: String) {
    guard let json = try? JSONReader().read(Array(text.utf8)),
      let folder = json["folder"]?.string, let settings = Self.settings(json, folder),
      let recipients = json["recipients"]?.array, let suppressed = json["suppressed"]?.array
    else { return nil }
    self.settings = settings
    self.folder = folder
    self.recipients = recipients.compactMap { Recipients(json: $0) }
    self.suppressed = suppressed.compactMap { List(json: $0) }
    isTemplate = json["isTemplate"]?.bool ?? false
    resends = (json["resends"]?.number?.int).flatMap { RunNumber(rawValue: Int64($0)) }
    if self.recipients.count != recipients.count || self.suppressed.count != suppressed.count {
      return nil
    }
  }

  private static func settings(_ json: JSON, _ folder: String) -> Settings? {
    let path = { fromHere($0, folder) }
    if let settings = json["settings"] { return Settings(json: settings, path: path) }
    guard let words = json["words"]?.array else { return nil }
    let texts = words.compactMap(\.string)
    return texts.count == words.count ? Settings(words: texts, path: path) : nil
  }

  /// A path as it was given, for a command that is given in this folder.
  func fromHere(_ path: String) -> String { Self.fromHere(path, folder) }

  private static func fromHere(_ path: String, _ folder: String) -> String {
    let isSame = path == "-" || path.isEmpty || path.hasPrefix("/")
    return isSame || folder == ProcessFacts.workingFolder ? path : "\(folder)/\(path)"
  }
}

// The lists, which have to be what they were.
extension RunSettings {
  /// Compares a list with what it was.
  ///
  /// - Throws: `Failure.listChanged`, or `list` when it cannot be read.
  static func compare(_ path: String, with known: ListFingerprint) throws(Failure) {
    guard let found = try fingerprint(path) else { throw .listChanged(path: path) }
    switch found.change(since: known) {
    case .content: throw .listChanged(path: path)
    case .time: throw .listChanged(path: path, time: known.modified)
    case nil: return
    }
  }

  fileprivate static func fingerprint(_ path: String) throws(Failure) -> ListFingerprint? {
    do throws(ListError) {
      return try ListFingerprint(path: path)
    } catch {
      throw .list(error)
    }
  }
}

extension RunSettings.List {
  /// A list as it is now.
  ///
  /// - Throws: `Failure.list` when it is gone.
  init(_ source: RecipientSource) throws(Failure) {
    path = source.name
    fingerprint = source.isReadOnce ? nil : try RunSettings.fingerprint(path)
  }

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
