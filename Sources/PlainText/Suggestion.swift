/// Spelling suggestions for a mistyped word.
public enum Suggestion {
  /// The candidates nearest to `word`, at most three, within two edits or a third of its length,
  /// whichever is more; at least one character has to match: `to` is not near `ca`.
  public static func near(_ word: String, among candidates: [String]) -> [String] {
    let bare = word.drop { $0 == "-" }
    let limit = max(2, bare.count / 3)
    let ranked = candidates.compactMap { candidate -> (distance: Int, candidate: String)? in
      let name = candidate.drop { $0 == "-" }
      guard abs(bare.count - name.count) <= limit else { return nil }
      let distance = editDistance(Array(bare), Array(name))
      return distance <= limit && distance < max(bare.count, name.count)
        ? (distance, candidate) : nil
    }
    guard let best = ranked.map(\.distance).min() else { return [] }
    return ranked.filter { $0.distance == best }.prefix(3).map(\.candidate)
  }

  /// The sentence `Did you mean 'a' or 'b'?`; nil without candidates.
  public static func question(_ near: [String]) -> String? {
    let words = near.map { "'\($0.printable)'" }.joined(separator: " or ")
    return near.isEmpty ? nil : "Did you mean \(words)?"
  }

  /// The number of insertions, removals and replacements that turn one word into the other: `send`
  /// and `sent` are 1 apart, `send` and `sned` are 2 apart.
  public static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (i, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let replaced = diagonal + (character == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
