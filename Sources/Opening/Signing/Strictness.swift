package import APNS
internal import Recipients
package import Reporting
package import Settings

// Warnings as errors, for `--strict`.
extension Problem {
  /// The problem as an error.
  package var strict: Problem {
    if severity == .error { return self }
    return Problem(
      .error, rule: rule, at: place, from: origin, message: message + Strictness.clause, fix: fix,
      reason: reason, isForceable: isForceable)
  }
}

extension CredentialWarning {
  /// The warning as an error.
  fileprivate var strict: Failure {
    Failure(sentences.what + Strictness.clause, fix: sentences.fix)
  }
}

extension [RecipientSource] {
  /// The token that ``shortToken(for:)`` returns.
  ///
  /// - Throws: `Failure` for such a token with `--strict`.
  package func shortToken(
    for environment: PushEnvironment, _ settings: Settings
  ) throws(Failure) -> DeviceToken? {
    let token = shortToken(for: environment)
    if let (what, fix) = token?.shortness, settings.strict.isOn {
      throw Failure(what + Strictness.clause, fix: fix)
    }
    return token
  }
}

extension Failure {
  /// The failure with its warnings as errors.
  package var strict: Failure {
    switch content {
    case .problems(let problems): .problems(problems.map(\.strict))
    case .several(let failures): .several(failures.map(\.strict))
    case .message, .usage: self
    }
  }
}

/// The treatment of warnings as errors.
package enum Strictness {
  package static let clause = " --strict makes this warning an error."

  /// - Throws: `Failure` when there is any warning.
  package static func refuse(
    _ problems: [Problem], _ warnings: [CredentialWarning]
  ) throws(Failure) {
    let failures =
      (problems.isEmpty ? [] : [Failure.problems(problems.map(\.strict))]) + warnings.map(\.strict)
    if let first = failures.first { throw failures.count > 1 ? .several(failures) : first }
  }
}
