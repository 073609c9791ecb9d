package import APNS
internal import JSONText
internal import POSIX
package import PushModel
package import Recipients
package import Reporting
package import Settings

/// The data that the history keeps to resume a run: its settings, and its lists with fingerprints.
package struct RunInputs: Equatable {
  /// A list with its fingerprint; nil for one that could be read only once.
  package struct List: Equatable {
    package var path: String
    package var fingerprint: ListFingerprint?
  }

  package enum Recipients: Equatable {
    case tokens([DeviceToken], name: String)
    case channel(String, name: String)
    case list(List)
  }

  /// The settings. Paths in them are relative to the current folder.
  package var settings: Settings
  /// The folder that the command was run in: paths of lists are relative to it.
  package var folder: String
  /// The lists in sending order.
  package var recipients: [Recipients]
  package var suppressed: [List]
  /// The payload is a template that each row fills.
  package var isTemplate: Bool
  /// The files of results, as paths from the current folder.
  package var files = RunOutputFiles()
  /// The configuration file that the user named, as a path from the current folder.
  package var config: String?
  /// The run to resend. If set, the rows of a template already have their payloads.
  package var resends: RunNumber?

  /// The lists of recipients and of those left out.
  package var lists: [List] {
    recipients.compactMap { if case .list(let list) = $0 { list } else { nil } } + suppressed
  }

  /// The device tokens that are in no list.
  package var tokens: [DeviceToken] {
    recipients.flatMap { recipients -> [DeviceToken] in
      if case .tokens(let tokens, _) = recipients { tokens } else { [] }
    }
  }

  /// A list's path, for a command run in the current folder.
  package func fromHere(_ path: String) -> String { Self.path(path, in: folder) }

  private static func path(_ path: String, in folder: String) -> String {
    let isSame = path == "-" || path.isEmpty || path.hasPrefix("/")
    return isSame || folder == ProcessFacts.workingFolder ? path : "\(folder)/\(path)"
  }
}

// The form in the history.
extension RunInputs {
  package var json: String {
    let members: [(key: String, value: JSON?)] = [
      ("settings", settings.kept), ("folder", .text(folder)),
      ("recipients", JSON(.array(recipients.map(\.json)))),
      ("suppressed", JSON(.array(suppressed.map(\.json)))), ("isTemplate", .flag(isTemplate)),
      ("files", files.isEmpty ? nil : files.json), ("config", config.map { .text($0) }),
      ("resends", resends.map { .number($0.rawValue) }),
    ]
    return members.compactMap { key, value in value.map { JSONMember(key: key, value: $0) } }
      .object.encodedString()
  }

  /// Reads the form that ``json`` has; nil if it is anything else.
  ///
  /// - Parameter origin: the run.
  package init?(json text: String, from origin: Origin) {
    guard let json = try? JSONReader().read(Array(text.utf8)),
      let folder = json["folder"]?.string, let stored = json["settings"],
      let settings = Settings(
        json: stored, from: origin, path: { Self.path($0, in: folder) }),
      let recipients = json["recipients"]?.array?.all({ Recipients(json: $0) }),
      let suppressed = json["suppressed"]?.array?.all({ List(json: $0) })
    else { return nil }
    self.init(
      settings: settings, folder: folder, recipients: recipients, suppressed: suppressed,
      isTemplate: json["isTemplate"]?.bool ?? false,
      files: RunOutputFiles(json: json["files"]) { Self.path($0, in: folder) },
      config: json["config"]?.string.map { Self.path($0, in: folder) },
      resends: (json["resends"]?.number?.int).flatMap { RunNumber(rawValue: Int64($0)) })
  }

  /// Reads the part that a worker takes from a queued run: no files, folders or lists.
  package init?(forWorkers text: String) {
    guard let json = try? JSONReader().read(Array(text.utf8)),
      let settings = json["settings"].flatMap({ Settings(forWorkers: $0) })
    else { return nil }
    self.init(
      settings: settings, folder: "", recipients: [], suppressed: [],
      isTemplate: json["isTemplate"]?.bool ?? false)
  }
}

extension Origin {
  /// A run whose settings are read. In a database, others may have written them.
  package static func run(_ number: RunNumber, in history: String) -> Origin {
    if HistoryLocation(history).file != nil { return .storedRun }
    var origin = Origin.setting("run \(number)")
    origin.sharedHistory = history
    return origin
  }
}

extension [JSON] {
  /// The value of each element; nil unless all elements have one.
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

  /// A list in its current state.
  ///
  /// - Throws: `Failure.list` if it does not exist.
  package init(_ source: RecipientSource) throws(Failure) {
    path = source.name
    fingerprint = source.isReadOnce ? nil : try Self.fingerprint(path)
  }

  /// - Parameter path: the list's current path.
  /// - Throws: `Failure.listChanged` if the list has changed, or `list` if it cannot be read.
  package func refuseChanged(at path: String) throws(Failure) {
    guard let known = fingerprint else { return }
    guard let found = try Self.fingerprint(path) else { throw .listChanged(path: path) }
    switch found.change(since: known) {
    case .content: throw .listChanged(path: path)
    case .time: throw .listChanged(path: path, time: known.modified)
    case nil: return
    }
  }

  /// - Parameter path: the list's current path.
  /// - Throws: `Failure.earlierListChanged` if recipients of later lists could be mixed up, or
  ///   `list` if it cannot be read. A row that became bad or a duplicate shifts them just like a
  ///   removed one, so the size alone does not tell.
  package func refuseChangedContent(at path: String) throws(Failure) {
    guard let known = fingerprint else { return }
    guard let found = try Self.fingerprint(path), found.change(since: known) != .content else {
      throw .earlierListChanged(path: path)
    }
  }

  private static func fingerprint(_ path: String) throws(Failure) -> ListFingerprint? {
    try attempt(try ListFingerprint(path: path)) { .list($0) }
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

extension RunInputs {
  /// The copy of a list that could be read only once.
  ///
  /// - Throws: `Failure.listLost` if there is no copy.
  package func copy(of list: List, at path: String) throws(Failure) -> RecipientSource {
    guard let copy = ListCopy(of: list.path, at: path) else { throw .listLost(list: list.path) }
    return resends == nil
      ? .copy(copy) : .resent(ResentList(copy, channel: settings.channel?.value))
  }
}
