extension StringProtocol {
  /// This path with the home folder in place of a `~` that a shell left at its start, as in
  /// `--history=~/h.sqlite`.
  ///
  /// - Parameter home: The home folder; nil or empty leaves the path as it is.
  public func expandingTilde(_ home: String?) -> String {
    guard let home, !home.isEmpty, self == "~" || hasPrefix("~/") else { return String(self) }
    return home + dropFirst()
  }
}
