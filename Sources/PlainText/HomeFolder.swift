extension StringProtocol {
  /// Expands a `~` that the shell left at the start of this path, as in `--history=~/h.sqlite`.
  ///
  /// - Parameter home: The home folder; nil or empty leaves the path as it is.
  public func expandingTilde(_ home: String?) -> String {
    guard let home, !home.isEmpty, self == "~" || hasPrefix("~/") else { return String(self) }
    return home + dropFirst()
  }
}
