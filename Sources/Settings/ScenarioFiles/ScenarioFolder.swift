internal import JSONText

/// The scenarios among the `.json5` files of a folder.
public struct ScenarioFolder {
  /// The scenarios, in the order of the files. What cannot be read is among them, so that it is
  /// reported.
  public let scenarios: [String]
  /// The files that others extend and that send nothing themselves.
  public let bases: [String]

  /// Sorts files by what is in them.
  ///
  /// - Parameters:
  ///   - home: what `~` stands for at the start of a path; nil leaves it as it is.
  ///   - readFile: a file's bytes; nil when it cannot be read.
  public init(_ files: [String], home: String?, readFile: (String) -> [UInt8]?) {
    let outlines = files.map { ScenarioOutline(readFile($0) ?? [], file: $0, home: home) }
    let extended = Set(outlines.compactMap { $0.extended.map(Self.plain) })
    let places = Dictionary(zip(files.map(Self.plain), outlines)) { first, _ in first }
    /// Whether a file says what is sent, or one that it extends.
    func sends(_ outline: ScenarioOutline, beyond seen: Set<String>) -> Bool {
      guard !outline.hasContent, let next = outline.extended.map(Self.plain),
        !seen.contains(next), let base = places[next]
      else { return outline.hasContent }
      return sends(base, beyond: seen.union([next]))
    }
    let found = zip(files, outlines).filter { !$0.1.isScript }
    let isBase = found.map { extended.contains(Self.plain($0)) && !sends($1, beyond: []) }
    bases = zip(found, isBase).filter(\.1).map(\.0.0)
    scenarios = zip(found, isBase).filter { !$0.1 }.map(\.0.0)
  }

  /// A path without `.`, and without `..` behind a name.
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

/// What a file in JSON5 is for, by its outermost keys.
public struct ScenarioOutline {
  /// Whether it is a script for the emulator.
  public let isScript: Bool
  /// Whether it is a payload.
  package let isPayload: Bool
  /// Whether it is a scenario without doubt: other services have payloads with a `notification`.
  package let isScenario: Bool
  /// Whether it says itself what is sent.
  let hasContent: Bool
  /// The file that it extends; nil when it extends none.
  let extended: String?

  /// Looks at a text, which may be no JSON5.
  public init(_ text: [UInt8], file: String, home: String? = nil) {
    let json = try? JSONReader(.json5).read(text)
    let has = { (key: String) in json?[key] != nil }
    hasContent = has("notification") || has("steps")
    isPayload = has("aps") && !hasContent && !has("extends")
    let sends = has("steps") || has("extends") || json?["notification"]?["payload"] != nil
    isScenario = sends && !has("aps")
    // In a scenario it is a number or a word.
    let hasOrders = json?["connections"]?.object != nil
    let scriptKeys = ["rules", "settings", "errorBudget", "tokenRate"]
    isScript = !hasContent && !has("extends") && (hasOrders || scriptKeys.contains(where: has))
    extended = (json?["extends"]?.string).map { $0.path(inFolderOf: file, home: home) }
  }
}
