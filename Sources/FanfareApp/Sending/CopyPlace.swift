internal import Recipients

/// Where the copies of a run's lists are that can be read only once: beside the history.
struct CopyPlace {
  let history: String
  let run: Int64

  /// The copy of a list of recipients, by its place among them.
  func recipients(_ index: Int) -> String { "\(history).run-\(run).list-\(index + 1)" }

  /// The copy of a list of `--suppress`.
  func suppressed(_ index: Int) -> String { "\(history).run-\(run).suppress-\(index + 1)" }

  /// Removes the copies of a run that had so many lists.
  func removeAll(recipients: Int, suppressed: Int) {
    for index in 0..<recipients { ListCopy.remove(at: self.recipients(index)) }
    for index in 0..<suppressed { ListCopy.remove(at: self.suppressed(index)) }
  }
}
