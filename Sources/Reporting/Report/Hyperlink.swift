package import APNS
internal import POSIX
internal import PlainText

/// The addresses that texts lead to on a terminal that has links.
package enum Hyperlink {
  /// A line of a file; nil when there is no such file.
  package static func file(_ path: String, line: Int?) -> String? {
    guard access(path, F_OK) == 0 else { return nil }
    let absolute = path.hasPrefix("/") ? path : ProcessFacts.workingFolder + "/" + path
    let end = line.map { "#\($0)" } ?? ""
    return "file://" + (ProcessFacts.hostName ?? "") + encoded(absolute) + end
  }

  /// The page that documents a rule; nil when it has none.
  package static func rule(_ identifier: String) -> String? {
    RuleTable.rule(identifier).flatMap { address(ofSource: $0.source) }
  }

  /// The page that documents a reason; nil when it has none.
  package static func reason(_ reason: Reason) -> String? {
    reason.info.flatMap { address(ofSource: $0.source) }
  }

  private static func encoded(_ path: String) -> String {
    path.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain =
        character.isASCII && (character.isLetter || character.isNumber)
        || "/-._~".contains(character)
      return isPlain ? String(character) : "%" + hexadecimal([byte]).uppercased()
    }.joined()
  }
}
