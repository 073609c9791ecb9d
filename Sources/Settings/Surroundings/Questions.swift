package import Reporting

// Questions before something is sent.
extension Context {
  /// Somebody can be asked, FANFARE_CONFIRM demands an answer, or a notice says that nobody was
  /// asked.
  package func questionsMatter() throws(Failure) -> Bool {
    if teller.canAsk { return true }
    return try answer(.confirm) ?? (teller.level != .quiet)
  }

  /// Asks for confirmation on the terminal; nil without one.
  ///
  /// - Throws: `Failure` with the question if there is no terminal, and FANFARE_CONFIRM demands an
  ///   answer.
  package func confirms(_ question: String) throws(Failure) -> Bool? {
    if let answer = teller.confirms(question) { return answer }
    if try answer(.confirm) ?? false { throw .unanswered(question) }
    return nil
  }

  /// Says that something happens without a question, as there is no terminal, unless
  /// FANFARE_CONFIRM does not want one.
  ///
  /// - Parameter fact: what would have been asked about, as a sentence.
  package func tellUnasked(_ fact: String) throws(Failure) {
    if try answer(.confirm) != nil { return }
    teller.note(
      "\(fact) Nobody was asked, because there is no terminal; --yes says that this is meant.")
  }
}

extension Failure {
  fileprivate static func unanswered(_ question: String) -> Failure {
    let lines = question.replacing(" [y/N] ", with: "").split(separator: "\n")
    return Failure(
      lines.map { $0.drop { $0 == " " } }.joined(separator: " "), fix: "Give --yes to answer yes.")
  }
}
