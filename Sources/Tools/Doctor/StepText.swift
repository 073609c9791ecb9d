internal import APNS
internal import Credentials
internal import Diagnosis
internal import JSONText
internal import PlainText
internal import Reporting

/// The text of a step: one line that is safe to print, the fix if the step is not ok, and the
/// evidence in parts, an empty object if the sentence says it all.
struct StepText {
  let sentence: String
  let fix: String?
  let evidence: JSON

  init(_ sentence: String, fix: String? = nil, _ evidence: JSON = [:]) {
    (self.sentence, self.fix, self.evidence) = (sentence, fix, evidence)
  }

  init(_ fault: some Described, _ evidence: JSON = [:]) {
    self.init(fault.sentence, fix: fault.fix, evidence)
  }
}

extension DiagnosisFinding {
  /// Nil when the step was not reached.
  func text(_ plan: DiagnosisPlan) -> StepText? { evidence.map { text($0, plan) } }

  // A row for each kind of evidence.
  private func text(_ evidence: DiagnosisEvidence, _ plan: DiagnosisPlan) -> StepText {
    switch evidence {
    case .unchecked(let why): why.text(at: step, plan)
    case .unusable(let error):
      (error as? Failure).map { StepText($0) } ?? StepText("\(error)".printable)
    case .signature: StepText("The key signs, and its public key verifies the signature.")
    case .keyFault(let error): StepText(error)
    case .badSignature:
      StepText(
        "The key's public half does not verify what the key signs.",
        fix: "Download or copy the key again.")
    case .certificate(let facts, let problems): facts.text(problems)
    case .identityFault(let fault): StepText(fault)
    case .identifiers(let key, let team, let named): .identifiers(key, team, named)
    case .time(let seconds): .time(seconds, isRight: verdict == .ok)
    case .addresses(let addresses): addresses.text
    case .lookUpFailed(let error): plan.noAddress(error)
    case .lookUpTimedOut(let limit): plan.noAddress(within: limit)
    case .families(let reaches): plan.families(reaches)
    case .ports(let reaches): plan.ports(reaches)
    case .direct(let unused): .direct(unused)
    case .tunnel(let proxy): .tunnel(proxy)
    case .dialFailed(let error): StepText(error, error.evidence)
    case .handshake(let facts, let days): facts.text(daysLeft: days)
    case .foreignRoot(let facts, let root): facts.text(foreignRoot: root, plan)
    case .acceptedCertificate: StepText("The server's certificate was accepted.")
    case .chosenProtocol(let name): StepText("HTTP/2 was negotiated.", ["protocol": .text(name)])
    case .streams(let limit): .streams(limit)
    case .conversation(let end): StepText(end, end.evidence)
    case .answer(let answer): answer.text
    case .channels(let count): .channels(count)
    case .clockOffset(let offset): .clock(offset)
    }
  }
}

// This machine and the credentials.
extension StepText {
  static let clockFix = "Set the clock; check it with 'date -u'."

  fileprivate static func identifiers(_ key: KeyID, _ team: TeamID, _ named: KeyID?) -> StepText {
    let other = named.map { " But according to the file's name, the key ID is \($0.text)." } ?? ""
    return StepText(
      "Key \(key.text) of team \(team.text).\(other)",
      fix: "If step 11 is refused, check which key this is.",
      ["keyID": .text(key.text), "teamID": .text(team.text), "fileName": .text(named?.text)])
  }

  fileprivate static func time(_ seconds: Int64, isRight: Bool) -> StepText {
    let moment = ISO8601.text(seconds: seconds)
    let shown = "\(moment.prefix(10)) \(moment.dropFirst(11).dropLast()) UTC."
    return StepText(
      isRight ? shown : "This machine's clock says \(shown)", fix: clockFix,
      ["epochSeconds": .number(seconds)])
  }

  fileprivate static func clock(_ offset: Int64) -> StepText {
    StepText(
      offset.magnitude < 2 ? "The same time as the server's." : "This clock is \(lead(offset)).",
      fix: clockFix, ["secondsAhead": .number(offset)])
  }

  /// - Parameter count: the number of the app's channels; nil if the answer does not say.
  fileprivate static func channels(_ count: Int?) -> StepText {
    let what =
      count.map { "the app has \(counted($0, "channel"))" } ?? "the answer lists no channels"
    return StepText(
      "200: the credentials are good, and \(what).",
      fix: "Check that this server manages channels.",
      ["status": .number(Status.accepted.rawValue), "channels": .number(count)])
  }

  /// `7 minutes ahead of the server's`
  fileprivate static func lead(_ offset: Int64) -> String {
    "\(TimeSpan.text(seconds: offset)) \(offset > 0 ? "ahead of" : "behind") the server's"
  }
}

extension DiagnosisEvidence.Unchecked {
  fileprivate func text(at step: DiagnosisStep, _ plan: DiagnosisPlan) -> StepText {
    StepText(sentence, fix: fix(at: step, plan), ["why": .text(rawValue)])
  }

  private var sentence: String {
    switch self {
    case .noCredentials: "Not checked: no credentials given."
    case .faultyIdentifiers: "Not checked: a key is of no use without its IDs."
    case .certificateInUse: "Not needed with a certificate."
    case .noAddresses: "Not checked: there is no address to try."
    case .endedEarlier: "Not checked: the server ended the handshake over the protocol."
    case .noBundleID: "Not sent: no bundle ID given."
    case .noAnswer: "Not compared: there was no answer."
    case .noDate: "Not compared: the answer has no date."
    }
  }

  /// The fix, given once and not at each step that the same thing is missing for.
  private func fix(at step: DiagnosisStep, _ plan: DiagnosisPlan) -> String? {
    switch (self, step) {
    case (.noCredentials, .credentials):
      "Give --key AuthKey_….p8 and --team-id, or set FANFARE_KEY and its companions."
    case (.noBundleID, _):
      "Give --bundle-id: the \(plan.testsChannels ? "request" : "push") tests the credentials."
    default: nil
    }
  }
}

extension CertificateFacts {
  fileprivate func text(_ problems: [CertificateProblem]) -> StepText {
    let evidence: JSON = [
      "commonName": .text(commonName), "topics": .texts(topics.map(\.topic.text)),
      "environments": .texts(environments.map(\.rawValue).sorted()),
      "notAfter": .number(notAfter),
    ]
    if let problem = problems.first { return StepText(problem, evidence) }
    let name = (commonName ?? userID ?? "without a name").printable
    return StepText(
      "The certificate '\(name)' can be used, until \(utcDay(notAfter)).", evidence)
  }
}

extension FalsePushAnswer {
  fileprivate var text: StepText {
    StepText(
      sentence, fix: fix,
      ["status": .number(response.status.rawValue), "reason": .text(response.reason?.rawValue)])
  }

  private var sentence: String {
    let answer = [response.status.description, response.reason?.rawValue].compactMap(\.self)
    let words = answer.joined(separator: " ").printable
    if response.isAccepted { return "\(words): \(acceptance)" }
    guard let reason = response.reason else { return "\(words), without a reason." }
    if [.badDeviceToken, .unregistered].contains(reason) {
      return "\(words): the credentials are good."
    }
    let clock = clockFault.map { " The cause: this clock is \(StepText.lead($0))." } ?? ""
    return "\(words): \(reason.info?.meaning ?? "this reason is newer than this fanfare.")\(clock)"
  }

  private var acceptance: String {
    request.service == .other
      ? "the credentials are good; this server accepts any device token."
      : "the credentials are good, but it is odd that APNs accepts a made-up device token."
  }

  private var fix: String {
    if clockFault != nil { return StepText.clockFix }
    if response.isAccepted { return "Tell Apple; the push was not delivered to anyone." }
    guard let reason = response.reason, let cause = reason.causes(of: request).first else {
      return "Try again later; check the server, and proxies on the way."
    }
    if cause.text == reason.info?.meaning { return cause.fix }
    return "Most likely: \(cause.text) \(cause.fix) More: fanfare explain \(reason.rawValue)"
  }
}
