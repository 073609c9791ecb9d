internal import APNS
internal import JSONText
internal import POSIX
internal import Projects
internal import PushModel
internal import Recipients

/// What the history keeps of a run so that it can be resumed: its settings, and the lists as they
/// were.
struct RunInputs: Equatable {
  /// A list, and what it looked like; nil for one that could be read only once.
  struct List: Equatable {
    var path: String
    var fingerprint: ListFingerprint?
  }

  enum Recipients: Equatable {
    case tokens([DeviceToken], name: String)
    case channel(String, name: String)
    case list(List)
  }

  /// Paths in it are relative to the current folder.
  var settings: Settings
  /// Where the command was given: paths of lists are relative to it.
  var folder: String
  /// In the order of sending.
  var recipients: [Recipients]
  var suppressed: [List]
  /// Whether the payload is a template that each row fills.
  var isTemplate: Bool
  /// The run whose pushes are sent again: then each row of a template has its payload already.
  var resends: RunNumber?

  /// A path of a list, for a command that is given in this folder.
  func fromHere(_ path: String) -> String { Self.path(path, in: folder) }

  private static func path(_ path: String, in folder: String) -> String {
    let isSame = path == "-" || path.isEmpty || path.hasPrefix("/")
    return isSame || folder == ProcessFacts.workingFolder ? path : "\(folder)/\(path)"
  }
}

// As the history keeps it.
extension RunInputs {
  var json: String {
    let members: [JSONMember] = [
      JSONMember(key: "settings", value: settings.kept),
      JSONMember(key: "folder", value: .text(folder)),
      JSONMember(key: "recipients", value: JSON(.array(recipients.map(\.json)))),
      JSONMember(key: "suppressed", value: JSON(.array(suppressed.map(\.json)))),
      JSONMember(key: "isTemplate", value: .flag(isTemplate)),
    ]
    let resent = resends.map { [JSONMember(key: "resends", value: .number($0.rawValue))] } ?? []
    return JSON(.object(JSONObject(members + resent))).encodedString()
  }

  /// What this version kept, or 0.1; nil when it is something else.
  ///
  /// - Parameter origin: the run.
  init?(json text: String, from origin: Origin) {
    guard let json = try? JSONReader().read(Array(text.utf8)),
      let folder = json["folder"]?.string, let settings = Self.settings(json, origin, folder),
      let recipients = json["recipients"]?.array?.all({ Recipients(json: $0) }),
      let suppressed = json["suppressed"]?.array?.all({ List(json: $0) })
    else { return nil }
    self.init(
      settings: settings, folder: folder, recipients: recipients, suppressed: suppressed,
      isTemplate: json["isTemplate"]?.bool ?? false,
      resends: (json["resends"]?.number?.int).flatMap { RunNumber(rawValue: Int64($0)) })
  }

  /// What a worker takes from a run in the queue: how it is sent, and no file, folder or list.
  init?(forWorkers text: String) {
    guard let json = try? JSONReader().read(Array(text.utf8)),
      let settings = json["settings"].flatMap({ Settings(forWorkers: $0) })
    else { return nil }
    self.init(
      settings: settings, folder: "", recipients: [], suppressed: [],
      isTemplate: json["isTemplate"]?.bool ?? false)
  }

  private static func settings(_ json: JSON, _ origin: Origin, _ folder: String) -> Settings? {
    let path = { Self.path($0, in: folder) }
    if let settings = json["settings"] { return Settings(json: settings, from: origin, path: path) }
    return json["words"]?.array?.all(\.string).flatMap {
      Settings(words: $0, from: origin, path: path)
    }
  }
}

extension Origin {
  /// A run whose settings are read. Whoever can write to a database can write them.
  static func run(_ number: RunNumber, in history: String) -> Origin {
    guard HistoryLocation(history).isServer else { return .storedRun }
    var origin = Origin.setting("run \(number)")
    origin.sharedHistory = history
    return origin
  }
}

extension [JSON] {
  /// What each element holds; nil unless all hold some.
  fileprivate func all<Value>(_ value: (JSON) -> Value?) -> [Value]? {
    let values = compactMap(value)
    return values.count == count ? values : nil
  }
}

extension RunInputs.List {
  fileprivate var json: JSON { ["path": .text(path), "fingerprint": .text(fingerprint?.text)] }

  fileprivate init?(json: JSON) {
    guard let path = json["path"]?.string else { return nil }
    self.path = path
    fingerprint = json["fingerprint"]?.string.flatMap { ListFingerprint(text: $0) }
  }

  /// A list as it is now.
  ///
  /// - Throws: `Failure.list` when it is gone.
  init(_ source: RecipientSource) throws(Failure) {
    path = source.name
    fingerprint = source.isReadOnce ? nil : try Self.fingerprint(path)
  }

  /// - Parameter path: where the list is now.
  /// - Throws: `Failure.listChanged` when it is not what it was, or `list` when it cannot be read.
  func refuseChanged(at path: String) throws(Failure) {
    guard let known = fingerprint else { return }
    guard let found = try Self.fingerprint(path) else { throw .listChanged(path: path) }
    switch found.change(since: known) {
    case .content: throw .listChanged(path: path)
    case .time: throw .listChanged(path: path, time: known.modified)
    case nil: return
    }
  }

  /// - Parameter path: where the list is now.
  /// - Throws: `Failure.earlierListChanged` when recipients of lists behind it may be taken for others,
  ///   or `list` when it cannot be read. A row that is bad or a duplicate moves them as well as one
  ///   that is gone, so the size alone does not tell.
  func refuseChangedContent(at path: String) throws(Failure) {
    guard let known = fingerprint else { return }
    guard let found = try Self.fingerprint(path), found.change(since: known) != .content else {
      throw .earlierListChanged(path: path)
    }
  }

  private static func fingerprint(_ path: String) throws(Failure) -> ListFingerprint? {
    do throws(ListError) { return try ListFingerprint(path: path) } catch { throw .list(error) }
  }
}

extension RunInputs.Recipients {
  fileprivate var json: JSON {
    switch self {
    case .list(let list): list.json
    case .tokens(let tokens, let name):
      ["name": .text(name), "tokens": .texts(tokens.map(\.hex))]
    case .channel(let id, let name): ["name": .text(name), "channel": .text(id)]
    }
  }

  fileprivate init?(json: JSON) {
    if let list = RunInputs.List(json: json) {
      self = .list(list)
    } else if let name = json["name"]?.string,
      let tokens = json["tokens"]?.array?.all({ token in
        token.string.flatMap { try? DeviceToken(tidying: $0) }
      })
    {
      self = .tokens(tokens, name: name)
    } else if let name = json["name"]?.string, let id = json["channel"]?.string {
      self = .channel(id, name: name)
    } else {
      return nil
    }
  }
}
