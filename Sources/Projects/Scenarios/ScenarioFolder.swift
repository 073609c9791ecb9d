internal import JSONText

/// Of the `.json5` files of a folder those that are scenarios: neither scripts for the emulator, nor
/// files that others extend and that send nothing themselves.
public struct ScenarioFolder {
  /// The scenarios, in the order of the files. What cannot be read is among them, so that it is told
  /// of.
  public let scenarios: [String]
  /// The files that others extend and that send nothing themselves.
  public let bases: [String]

  /// Sorts files by what stands in them.
  ///
  /// - Parameter readFile: a file's bytes; nil when it cannot be read.
  public init(_ files: [String], readFile: (String) -> [UInt8]?) {
    let outlines = files.map { ($0, ScenarioOutline(readFile($0) ?? [], file: $0)) }
    let extended = Set(outlines.compactMap { $0.1.extended.map(Self.plain) })
    let places = Dictionary(outlines.map { (Self.plain($0.0), $0.1) }) { first, _ in first }
    let scripts = outlines.filter { $0.1.isScript }.map(\.0)
    bases = outlines.filter { file, outline in
      extended.contains(Self.plain(file)) && !outline.isScript
        && !Self.sends(outline, places, beyond: [])
    }.map(\.0)
    let others = Set(scripts + bases)
    scenarios = files.filter { !others.contains($0) }
  }

  /// Whether a file says what is sent, or one does that it extends.
  private static func sends(
    _ outline: ScenarioOutline, _ places: [String: ScenarioOutline], beyond seen: Set<String>
  ) -> Bool {
    guard !outline.hasContent, let next = outline.extended.map(plain), !seen.contains(next),
      let base = places[next]
    else { return outline.hasContent }
    return sends(base, places, beyond: seen.union([next]))
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

/// What a `.json5` file is for, by its outermost keys.
public struct ScenarioOutline {
  /// Whether it is a script for the emulator.
  public let isScript: Bool
  /// Whether it says itself what is sent.
  let hasContent: Bool
  /// The file that it extends; nil when it extends none.
  let extended: String?

  /// Looks at a text, which may be no JSON5.
  public init(_ text: [UInt8], file: String) {
    let json = try? JSONReader(.json5).read(text)
    let has = { (key: String) in json?[key] != nil }
    hasContent = has("notification") || has("steps")
    isScript = !hasContent && !has("extends") && (has("rules") || has("settings"))
    extended = (json?["extends"]?.string).map { $0.path(inFolderOf: file) }
  }
}
