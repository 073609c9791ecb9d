internal import JSONText
internal import Reporting
package import Settings

/// The files that a run writes its results and dead device tokens to. The history keeps them, so
/// that the command that resumes the run can name them.
package struct RunOutputFiles: Equatable {
  private static let options = ["results", "dead-tokens"]

  /// The paths by option.
  private var files: [String: String] = [:]
  /// The format of the results, where an option gave it.
  private var format: String?

  package init() {}

  /// The files of these settings.
  package init(_ settings: Settings) {
    let paths = ["results": settings.results?.value, "dead-tokens": settings.deadTokens?.value]
    files = paths.compactMapValues(\.self)
    format = settings.resultsFormat?.value.name
  }

  /// The files that a later pass can continue, which standard output and pipes are not.
  package var continuable: RunOutputFiles {
    var plain = self
    plain.files = files.filter { isPlainFile($0.value) && !isOpenDescriptor($0.value) }
    return plain
  }

  /// The file of results; nil for none.
  var results: String? { files["results"] }

  package var isEmpty: Bool { files.isEmpty }

  package var paths: [String] { Self.options.compactMap { files[$0] } }

  /// The options that name them, quoted for the shell: `--results r.jsonl --dead-tokens d.csv`.
  package var options: String {
    let named = Self.options.compactMap { option in
      files[option].map { "--\(option) \(shellWord($0))" }
    }
    let format = files["results"] == nil ? nil : format.map { "--results-format \($0)" }
    return (named + [format].compactMap(\.self)).joined(separator: " ")
  }

  /// These files with another one for results, whose name tells its format.
  func with(results path: String) -> RunOutputFiles {
    var other = self
    if path != results { (other.files["results"], other.format) = (path, nil) }
    return other
  }

  /// These files, and those of another pass for the options that are missing here.
  package func filled(from other: RunOutputFiles) -> RunOutputFiles {
    var all = self
    all.files.merge(other.files) { own, _ in own }
    if files["results"] == nil { all.format = other.format }
    return all
  }

  /// The files that other options do not name.
  package func missing(in other: RunOutputFiles) -> RunOutputFiles {
    var rest = self
    rest.files = files.filter { !other.contains($0.value) }
    return rest
  }

  func contains(_ path: String) -> Bool { files.values.contains { areSameFile($0, path) } }
}

// The form in the history.
extension RunOutputFiles {
  var json: JSON {
    let members = files.merging(["results-format": format].compactMapValues(\.self)) { $1 }
    return members.sorted { $0.key < $1.key }.map {
      JSONMember(key: $0.key, value: .text($0.value))
    }
    .object
  }

  /// - Parameter path: turns a stored path into one from the working folder.
  init(json: JSON?, path: (String) -> String) {
    for option in Self.options { files[option] = json?[option]?.string.map(path) }
    format = json?["results-format"]?.string
  }
}
