/// Results of a run that were written down at once.
public struct RunCommit: Sendable, Hashable {
  /// Its number in the run, from 1.
  public let number: Int64
  /// In which pass of the run it was made, from 0.
  public let pass: Int64
  /// The numbers of its pushes.
  public let sequences: [UInt64]
  /// Its results, in the order of the pushes, without those that a later pass has replaced.
  public let pushes: [PushEntry]

  /// A commit, as a history has it.
  package init(number: Int64, pass: Int64, sequences: [UInt64], pushes: [PushEntry]) {
    (self.number, self.pass, self.sequences, self.pushes) = (number, pass, sequences, pushes)
  }
}
