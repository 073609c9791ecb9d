internal import APNS
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import POSIX
internal import PlainText

extension DiagnosisFinding {
  /// What was seen in one line that is safe to print, what to do if it is not ok, and the evidence by
  /// its parts: an empty object where the sentence says all.
  typealias Seen = (sentence: String, fix: String?, evidence: JSON)

  /// What was seen; nil when the step was not reached.
  func seen(_ plan: DiagnosisPlan) -> Seen? { evidence.map { seen($0, plan) } }

  // One row for each kind of evidence.
  private func seen(_ evidence: DiagnosisEvidence, _ plan: DiagnosisPlan) -> Seen {
    switch evidence {
    case .unchecked(let why): (why.sentence, why.fix(at: step), ["why": .text(why.rawValue)])
    case .unusable(let error): Self.unusable(error)
    case .signature: ("The key signs, and its public key verifies the signature.", nil, [:])
    case .keyFault(let error): (error.sentence, error.fix, [:])
    case .badSignature:
      (
        "The key's public half does not verify what the key signs.",
        "Download or copy the key again.", [:]
      )
    case .certificate(let facts, let problems):
      (facts.sentence(problems), problems.first?.remedy, facts.evidence)
    case .identityFault(let fault): (fault.clause, fault.remedy, [:])
    case .identifiers(let key, let team, let named): Self.identifiers(key, team, named)
    case .time(let seconds):
      (
        verdict == .ok ? utc(seconds) : "This machine's clock says \(utc(seconds))",
        "Set the clock; check it with 'date -u'.", ["epochSeconds": .number(seconds)]
      )
    case .addresses(let addresses):
      (addresses.sentence, nil, ["addresses": .texts(addresses.map(\.text))])
    case .lookUpFailed(let error):
      ("\(plan.host) has no address (\(error.message)).", plan.lookUpFix, [:])
    case .lookUpTimedOut(let limit):
      (
        "The resolver gave no answer about \(plan.host) within \(milliseconds(Double(limit))).",
        plan.lookUpFix, [:]
      )
    case .families(let reaches): plan.families(reaches)
    case .ports(let reaches): plan.ports(reaches)
    case .direct(nil): ("No proxy is used.", nil, ["proxy": nil, "unused": nil])
    case .direct(let setting?):
      (
        "No proxy is used: \(setting.place.printable) does not apply to this host.", nil,
        ["proxy": nil, "unused": .text(setting.description)]
      )
    case .tunnel(let setting):
      (
        "\(setting.place.printable) opened the tunnel.", nil,
        ["proxy": .text(setting.description), "origin": .text(setting.origin)]
      )
    case .dialFailed(let error): (error.sentence, error.fix, error.evidence)
    case .handshake(let facts, let days):
      (
        facts.sentence + " \(counted(days, "day")) left.",
        "The server's operator has to renew its certificate.", facts.evidence(days: days)
      )
    case .foreignRoot(let facts, let root):
      (
        facts.sentence + " '\(root.printable)' is not one of the roots that Apple names.",
        "TLS is intercepted on the way: have \(plan.host) exempted from inspection.",
        facts.evidence(days: nil)
      )
    case .acceptedCertificate: ("The server's certificate was accepted.", nil, [:])
    case .chosenProtocol(let name): ("HTTP/2 was negotiated.", nil, ["protocol": .text(name)])
    case .streams(let limit):
      (Self.streams(limit), nil, ["maxConcurrentStreams": .number(limit)])
    case .conversation(let end): (end.sentence, end.fix, end.evidence)
    case .answer(let answer):
      (
        answer.sentence, answer.fix,
        [
          "status": .number(answer.response.status.rawValue),
          "reason": .text(answer.response.reason?.rawValue),
        ]
      )
    case .clockOffset(let offset):
      (
        Self.clock(offset), "Set the clock; check it with 'date -u'.",
        ["secondsAhead": .number(offset)]
      )
    }
  }

  private static func unusable(_ error: any Error) -> Seen {
    guard let failure = error as? Failure else { return ("\(error)".printable, "", [:]) }
    return (failure.sentence, failure.fix, [:])
  }

  private static func identifiers(_ key: KeyID, _ team: TeamID, _ named: KeyID?) -> Seen {
    let other = named.map { " But according to the file's name, the key ID is \($0.text)." } ?? ""
    return (
      "Key \(key.text) of team \(team.text).\(other)",
      "If step 11 is refused, check which key this is.",
      ["keyID": .text(key.text), "teamID": .text(team.text), "fileName": .text(named?.text)]
    )
  }

  private static func streams(_ limit: Int?) -> String {
    switch limit {
    case nil: "No limit on concurrent streams."
    case 1?: "One stream until a provider token is accepted."
    case let limit?: "At most \(counted(limit, "concurrent stream"))."
    }
  }

  private static func clock(_ offset: Int64) -> String {
    offset.magnitude < 2
      ? "The same time as the server's."
      : "This clock is \(duration(offset)) \(offset > 0 ? "ahead of" : "behind") the server's."
  }
}

extension DiagnosisEvidence.Unchecked {
  fileprivate var sentence: String {
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

  /// Said once, and not at each step that something is missing for.
  fileprivate func fix(at step: DiagnosisStep) -> String? {
    switch (self, step) {
    case (.noCredentials, .credentials):
      "Give --key AuthKey_….p8 and --team-id, or set FANFARE_KEY and its companions."
    case (.noBundleID, _): "Give --bundle-id: the push tests the credentials."
    default: nil
    }
  }
}

extension CertificateFacts {
  /// What it is, or what is wrong with it.
  fileprivate func sentence(_ problems: [CertificateProblem]) -> String {
    if let problem = problems.first { return problem.clause }
    let name = (commonName ?? userID ?? "without a name").printable
    return "The certificate '\(name)' can be used, until \(utcDay(notAfter))."
  }

  fileprivate var evidence: JSON {
    [
      "commonName": .text(commonName), "topics": .texts(topics.map(\.topic.text)),
      "environments": .texts(environments.map(\.rawValue).sorted()),
      "notAfter": .number(notAfter),
    ]
  }
}

extension FalsePushAnswer {
  /// What the answer proves, or what is wrong.
  fileprivate var sentence: String {
    let answer = [response.status.description, response.reason?.rawValue].compactMap(\.self)
    let words = answer.joined(separator: " ").printable
    if response.isAccepted { return "\(words): \(acceptance)" }
    switch response.reason {
    case .badDeviceToken?, .unregistered?: return "\(words): the credentials are good."
    case let reason?:
      return
        "\(words): \(reason.info?.meaning ?? "this reason is newer than this fanfare.")\(clock)"
    case nil: return "\(words), without a reason."
    }
  }

  /// The likeliest cause and what to do about it.
  fileprivate var fix: String? {
    if clockFault != nil { return "Set the clock; check it with 'date -u'." }
    if response.isAccepted { return "Tell Apple; the push was not delivered to anyone." }
    guard let reason = response.reason, let cause = reason.causes(of: request).first else {
      return "Try again later; check the server, and proxies on the way."
    }
    if cause.text == reason.info?.meaning { return cause.fix }
    return "Most likely: \(cause.text) \(cause.fix) More: fanfare explain \(reason.rawValue)"
  }

  private var acceptance: String {
    request.service == .other
      ? "the credentials are good; this server accepts any device token."
      : "the credentials are good, but it is odd that APNs accepts a made-up device token."
  }

  private var clock: String {
    guard let clockFault else { return "" }
    return " The cause: this clock is \(duration(clockFault)) "
      + (clockFault > 0 ? "ahead of" : "behind") + " the server's."
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
