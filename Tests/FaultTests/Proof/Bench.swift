/// Where a fault happens to a run.
protocol Bench: AnyObject {
  var books: Books { get }

  /// Resumes on a good day until everything has come to its end.
  func finish() throws
}
