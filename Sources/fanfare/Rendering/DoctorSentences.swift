internal import APNS
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import PlainText

extension DiagnosisFinding {
  /// What was seen, in one line that is safe to print; empty when the step was not reached.
  func sentence(_ plan: DiagnosisPlan) -> String {
    guard let evidence else { return "" }
    return switch evidence {
    case .unchecked(let why): why.sentence
    case .unusable(let error): Self.sentences(error).what
    case .signature: "The key signs, and its public half verifies it."
    case .keyFault(let error): error.sentence
    case .badSignature: "What the key signs, its public half does not verify."
    case .certificate(let facts, let problems): facts.doctorSentence(problems)
    case .identityFault(let fault): "OpenSSL cannot show the certificate: \(fault.clause)."
    case .identifiers(let key, let team, let named): ids(key, team, named)
    case .time(let seconds):
      verdict == .ok ? utc(seconds) : "This machine's clock says \(utc(seconds))"
    case .clockOffset(let offset): clock(offset)
    case .answer(let answer): answer.sentence
    default: evidence.networkSentence(plan)
    }
  }

  /// What to do; nil when there is nothing to do.
  func fix(_ plan: DiagnosisPlan) -> String? {
    guard let evidence, verdict != .ok else { return nil }
    switch evidence {
    case .unchecked(let why): return why.fix(at: step)
    case .unusable(let error): return Self.sentences(error).fix
    case .keyFault(let error): return error.fix
    case .badSignature: return "Download or copy the key again."
    case .certificate(_, let problems): return problems.first?.doctorFix
    case .identityFault: return "Create a new certificate with an RSA key of 2048 bits."
    case .identifiers: return "Check which key this is, if step 11 is refused."
    case .time, .clockOffset: return "Set the clock; see 'date -u'."
    case .answer(let answer): return answer.fix
    default: return evidence.networkFix(plan)
    }
  }

  private static func sentences(_ error: any Error) -> (what: String, fix: String) {
    guard let failure = error as? Failure else { return ("\(error)".printable, "") }
    return FailureText.sentences(failure)
  }

  private func ids(_ key: KeyID, _ team: TeamID, _ named: KeyID?) -> String {
    let other = named.map { " But the file's name says that the key id is \($0.text)." } ?? ""
    return "Key \(key.text) of team \(team.text).\(other)"
  }

  private func clock(_ offset: Int64) -> String {
    offset.magnitude < 2
      ? "The same time as the server's."
      : "This clock is \(duration(offset)) \(offset > 0 ? "ahead of" : "behind") the server's."
  }
}

extension DiagnosisEvidence.Unchecked {
  fileprivate var sentence: String {
    switch self {
    case .noCredentials: "Not checked: nobody is named who signs in."
    case .faultyIdentifiers: "Not checked: without its ids a key is of no use."
    case .certificateInUse: "Not needed with a certificate."
    case .noAddresses: "Not checked: there is no address to try."
    case .endedEarlier: "Not proven: the server ended the handshake for want of a protocol."
    case .noBundleID: "Not sent: no bundle id is named."
    case .noAnswer: "Not compared: there was no answer."
    case .noDate: "Not compared: the answer has no date."
    }
  }

  /// Said once, and not at each step that something is missing for.
  fileprivate func fix(at step: DiagnosisStep) -> String? {
    switch (self, step) {
    case (.noCredentials, .credentials):
      "Give --key AuthKey_….p8 and --team-id, or set FANFARE_KEY and its companions."
    case (.noBundleID, _): "Give --bundle-id: the push proves the credentials."
    default: nil
    }
  }
}

extension ClientIdentity.Failure {
  fileprivate var clause: String {
    switch self {
    case .badCertificate: "it is broken"
    case .badKey: "its key is broken"
    case .keyDoesNotMatch: "the key belongs to another certificate"
    case .refused(let words): words.printable
    }
  }
}

/// `2026-11-21 17:57:12 UTC.`
private func utc(_ seconds: Int64) -> String {
  let moment = ISO8601.text(seconds: seconds)
  return "\(moment.prefix(10)) \(moment.dropFirst(11).dropLast()) UTC."
}

/// `40 s`, `7 minutes`, `3 hours`, `2 days`, of a time in seconds.
func duration(_ seconds: Int64) -> String {
  switch seconds.magnitude {
  case let time where time < 120: "\(time) s"
  case let time where time < 2 * 3600: "\(time / 60) minutes"
  case let time where time < 2 * 86_400: "\(time / 3600) hours"
  case let time: "\(grouped(Int(clamping: time / 86_400))) days"
  }
}
