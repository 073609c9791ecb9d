internal import APNS
internal import Credentials
internal import HTTP2

// Steps 1 to 3: everything that can be checked offline.
extension DiagnosisKnowledge {
  mutating func credentials() -> Sight {
    switch plan.credentials {
    case .none: (.skipped, .unchecked(.noCredentials))
    case .unusable(let error): (.broken, .unusable(error))
    case .badIdentifiers: (.skipped, .unchecked(.faultyIdentifiers))
    case .tokens(let source, _, _, _): signature(source)
    case .certificate(let certificate): fit(certificate)
    }
  }

  private func signature(_ source: ProviderTokenSource) -> Sight {
    do throws(SigningKeyError) {
      let isGood = try source.token().isVerified(by: try source.publicKeyDER())
      return isGood ? (.ok, .signature) : (.broken, .badSignature)
    } catch {
      return (.broken, .keyFault(error))
    }
  }

  private mutating func fit(_ certificate: ClientCertificate) -> Sight {
    do throws(ClientIdentity.Failure) {
      identity = try certificate.identity()
    } catch {
      return (.broken, .identityFault(error))
    }
    let problems = certificate.facts.problems(
      now: plan.clock.epochSeconds, environment: plan.environment, topic: topic, pushType: pushType)
    let isBroken = problems.contains { $0.severity == .error }
    let verdict: DiagnosisVerdict = isBroken ? .broken : problems.isEmpty ? .ok : .warning
    return (verdict, .certificate(certificate.facts, problems))
  }

  /// The push's topic: the one given, or else the certificate's main topic.
  var topic: Topic? {
    guard plan.topic == nil, case .certificate(let certificate) = plan.credentials else {
      return plan.topic
    }
    return certificate.facts.mainTopic
  }

  /// The push type: the certificate's main type, or `alert` without a certificate.
  var pushType: PushType {
    guard case .certificate(let certificate) = plan.credentials else { return .alert }
    return certificate.facts.mainPushType
  }

  func identifiers() -> Sight {
    switch plan.credentials {
    case .none, .unusable: (.skipped, .unchecked(.noCredentials))
    case .certificate: (.skipped, .unchecked(.certificateInUse))
    case .badIdentifiers(let error): (.broken, .unusable(error))
    case .tokens(_, let keyID, let teamID, let fileName):
      (fileName == nil ? .ok : .warning, .identifiers(keyID, teamID, fileName: fileName))
    }
  }

  func time() -> Sight {
    let now = plan.clock.epochSeconds
    return (Diagnosis.plausibleTimes.contains(now) ? .ok : .broken, .time(now))
  }
}

extension ClientCertificate {
  /// The identity for the TLS handshake.
  fileprivate func identity() throws(ClientIdentity.Failure) -> ClientIdentity {
    try withKeyDER { (key) throws(ClientIdentity.Failure) in
      try ClientIdentity(certificates: certificatesDER, key: key)
    }
  }
}
