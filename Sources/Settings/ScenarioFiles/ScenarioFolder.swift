internal import JSONText

/// The scenarios among the `.json5` files of a folder.
public struct ScenarioFolder {
  /// The scenarios, in the order of the files. Unreadable files are included, so that they are
  /// reported.
  public let scenarios: [String]
  /// The files that only serve as a base for others and send nothing themselves.
  public let bases: [String]

  /// Sorts files by their contents.
  ///
  /// - Parameters:
  ///   - home: the folder for `~` at the start of a path; nil leaves `~` as it is.
  ///   - readFile: returns a file's bytes; nil when it cannot be read.
  public init(_ files: [String], home: String?, readFile: (String) -> [UInt8]?) {
    let outlines = files.map { ScenarioOutline(readFile($0) ?? [], file: $0, home: home) }
    let extended = Set(outlines.compactMap { $0.extended.map(Self.plain) })
    let places = Dictionary(zip(files.map(Self.plain), outlines)) { first, _ in first }
    /// True if a file, or one that it extends, has a payload to send.
    func sends(_ outline: ScenarioOutline, beyond seen: Set<String>) -> Bool {
      guard !outline.hasPayload, let next = outline.extended.map(Self.plain),
        !seen.contains(next), let base = places[next]
      else { return outline.hasPayload }
      return sends(base, beyond: seen.union([next]))
    }
    let found = zip(files, outlines).filter { !$0.1.isScript }
    let isBase = found.map {
      (extended.contains(Self.plain($0)) || $1.isCalledBase) && !sends($1, beyond: [])
    }
    bases = zip(found, isBase).filter(\.1).map(\.0.0)
    scenarios = zip(found, isBase).filter { !$0.1 }.map(\.0.0)
  }

  /// A path with `.` removed, and `..` resolved after a name.
  private static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}

/// The kind of a JSON5 file, judged by its top-level keys.
public struct ScenarioOutline {
  /// It is a script for the emulator.
  public let isScript: Bool
  /// It is a payload.
  package let isPayload: Bool
  /// It is certainly a scenario: payloads of other services have a `notification` too.
  package let isScenario: Bool
  /// It has notifications of its own.
  let hasContent: Bool
  /// It has steps, or a notification with a payload.
  let hasPayload: Bool
  /// It is a JSON5 object, and its name says that others extend it: `base.json5`, `shop.base.json5`.
  let isCalledBase: Bool
  /// The file that it extends; nil when it extends none.
  let extended: String?

  /// Examines text, which may not be valid JSON5.
  public init(_ text: [UInt8], file: String, home: String? = nil) {
    let json = try? JSONReader(.json5).read(text)
    let has = { (key: String) in json?[key] != nil }
    hasContent = has("notification") || has("steps")
    isPayload = has("aps") && !hasContent && !has("extends")
    hasPayload = has("steps") || json?["notification"]?["payload"] != nil
    let name = file.split(separator: "/").last ?? ""
    isCalledBase = json?.object != nil && ".\(name)".hasSuffix(".base.json5")
    isScenario = (hasPayload || has("extends")) && !has("aps")
    // In a scenario `connections` is a number or a word.
    let hasOrders = json?["connections"]?.object != nil
    let scriptKeys = ["rules", "settings", "errorBudget", "tokenRate"]
    isScript = !hasContent && !has("extends") && (hasOrders || scriptKeys.contains(where: has))
    extended = (json?["extends"]?.string).map { $0.path(inFolderOf: file, home: home) }
  }
}
