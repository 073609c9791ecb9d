internal import APNS
internal import Credentials
internal import PlainText

extension CertificateFacts {
  /// What it is, or what stands against it.
  func doctorSentence(_ problems: [CertificateProblem]) -> String {
    if let problem = problems.first { return problem.doctorSentence }
    let name = (commonName ?? userID ?? "without a name").printable
    return "The certificate '\(name)' fits, until \(utcDay(notAfter))."
  }
}

extension CertificateProblem {
  fileprivate var doctorSentence: String {
    switch self {
    case .expired(let end): "The certificate ended on \(utcDay(end))."
    case .notYetValid(let start): "The certificate begins on \(utcDay(start))."
    case .expiresSoon(let days): "The certificate ends in \(counted(days, "day"))."
    case .notForPush(let kind): "The certificate \(kind.name), and is not for pushes."
    case .wrongEnvironment(let wanted, let allowed):
      "The certificate is for \(allowed.map(\.rawValue).sorted().joined(separator: ", ")), "
        + "not for \(wanted.rawValue)."
    case .topicNotCovered(let topic, let covered):
      "The certificate is not for \(topic.text), but for \(covered.listed)."
    case .typeNotCovered(let type, let covered):
      "The certificate is not for \(type.rawValue), but for \(covered.listed)."
    }
  }

  var doctorFix: String {
    switch self {
    case .expired, .expiresSoon: "Create a new certificate in the developer portal."
    case .notYetValid: "Check this machine's clock; see 'date -u'."
    case .notForPush: "Create an Apple Push Notification service SSL certificate in the portal."
    case .wrongEnvironment: "Choose the other environment, or a certificate for both."
    case .topicNotCovered, .typeNotCovered: "Give the bundle id that the certificate is for."
    }
  }
}

extension [CertificateTopic] {
  fileprivate var listed: String { map(\.topic.text.printable).joined(separator: ", ") }
}
