internal import APNS
package import Credentials
internal import PlainText

/// Which credentials a run in the queue needs. The queue only names them; workers have the key or the
/// certificate.
package enum RunCredentials: Hashable {
  case key(TeamID, KeyID)
  /// The common name of a client certificate.
  case certificate(String)

  /// Reads what was written down; nil for anything else.
  package init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "key":
      let ids = words[1].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard ids.count == 2, let team = try? TeamID(ids[0]), let key = try? KeyID(ids[1]) else {
        return nil
      }
      self = .key(team, key)
    case "certificate": self = .certificate(words[1])
    default: return nil
    }
  }

  /// As the queue has it: `key TEAMID/KEYID` or `certificate NAME`.
  package var text: String {
    switch self {
    case .key(let team, let key): "key \(team.text)/\(key.text)"
    case .certificate(let name): "certificate \(name)"
    }
  }

  /// For people.
  package var words: String {
    switch self {
    case .key(let team, let key): "the key \(key.text) of team \(team.text)"
    case .certificate(let name): "the certificate '\(name.printable)'"
    }
  }
}

extension OpenedCredentials {
  /// What a run that is enqueued with them says that it needs.
  package var forQueue: RunCredentials {
    switch kind {
    case .key(let keyID, let teamID, _): .key(teamID, keyID)
    case .certificate(let certificate, _): .certificate(certificate.facts.nameInQueue)
    }
  }
}

extension CertificateFacts {
  /// The common name; of a certificate without one its SHA-256.
  fileprivate var nameInQueue: String {
    commonName ?? hexadecimal(sha256)
  }
}
