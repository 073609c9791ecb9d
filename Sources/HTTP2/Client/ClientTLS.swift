internal import COpenSSL
internal import Foundation

/// What fanfare adds to the TLS context that libcurl prepared: ALPN `h2`, the system's roots, the
/// user's own roots; and what the handshake chose.
final class ClientTLS {
  private let additionalRoots: String?
  private(set) var chosenProtocol: String?
  private(set) var rootsFailed = false

  /// Whether the handshake was reached.
  private(set) var started = false

  /// Whether the handshake was completed, and so the server's chain verified.
  private(set) var completed = false

  /// Whether the server ended the handshake because it does not speak `h2`.
  private(set) var protocolsRefused = false

  /// The `X509_V_ERR_…` number for which this side ended the handshake; nil when it did not.
  private(set) var verificationError: Int?

  init(additionalRoots: String?) { self.additionalRoots = additionalRoots }

  /// Prepares a context. `self` must outlive the connection that uses it.
  func prepare(_ context: OpaquePointer) -> Bool {
    started = true
    SSL_CTX_set_info_callback(context, observeHandshake)
    fanfare_ssl_ctx_take_eof_as_the_end(context)
    _ = fanfare_ssl_ctx_set_ex_data(
      context, Self.index, Unmanaged.passUnretained(self).toOpaque())
    // Returns 0 on success, unlike its neighbours.
    let offered: [UInt8] = [2] + Array("h2".utf8)
    guard SSL_CTX_set_alpn_protos(context, offered, UInt32(offered.count)) == 0 else {
      return false
    }
    return trustRoots(of: context)
  }

  private func trustRoots(of context: OpaquePointer) -> Bool {
    Self.trustSystemRoots(of: context)
    guard let additionalRoots else { return true }
    rootsFailed = SSL_CTX_load_verify_locations(context, additionalRoots, nil) != 1
    return !rootsFailed
  }

  /// A directory of hashed names is read one certificate at a time, when a chain asks for it; a
  /// bundle costs some ten milliseconds of every process.
  private static func trustSystemRoots(of context: OpaquePointer) {
    if hasHashedDirectory {
      SSL_CTX_set_default_verify_dir(context)
    } else {
      SSL_CTX_set_default_verify_paths(context)
    }
  }

  /// Whether OpenSSL's certificate directory holds a whole store of names like `5ed36f99.0`, and
  /// not just the few that somebody added beside a bundle.
  private static let hasHashedDirectory: Bool = {
    guard getenv(String(cString: X509_get_default_cert_file_env())) == nil else { return false }
    let chosen = getenv(String(cString: X509_get_default_cert_dir_env()))
    guard
      let directory = opendir(chosen ?? UnsafeMutablePointer(mutating: X509_get_default_cert_dir()))
    else { return false }
    defer { closedir(directory) }
    var hashedNames = 0
    while hashedNames < wholeStore, let entry = readdir(directory) {
      let isHashed = withUnsafeBytes(of: entry.pointee.d_name) {
        $0.prefix { $0 != 0 }.suffix(2).elementsEqual(".0".utf8)
      }
      if isHashed { hashedNames += 1 }
    }
    return hashedNames == wholeStore
  }()

  private static let wholeStore = 32

  /// The slot of `self` in every context of this process.
  private static let index = fanfare_ssl_ctx_new_ex_index()

  fileprivate static func owner(of ssl: OpaquePointer) -> ClientTLS? {
    guard let context = SSL_get_SSL_CTX(ssl), let pointer = SSL_CTX_get_ex_data(context, index)
    else { return nil }
    return Unmanaged<ClientTLS>.fromOpaque(pointer).takeUnretainedValue()
  }

  fileprivate func finishedHandshake(_ ssl: OpaquePointer) {
    completed = true
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    chosenProtocol = name.map {
      String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self)
    }
  }

  fileprivate func received(alert: Int32) {
    if alert & 0xff == SSL_AD_NO_APPLICATION_PROTOCOL { protocolsRefused = true }
  }

  /// libcurl's own result is no guide: what OpenSSL queued first decides it, and of a signature
  /// that does not verify that is not the certificate.
  fileprivate func sentAlert(over ssl: OpaquePointer) {
    let result = SSL_get_verify_result(ssl)
    if !completed && result != Int(X509_V_OK) { verificationError = result }
  }
}

private func observeHandshake(_ ssl: OpaquePointer?, _ event: Int32, _ value: Int32) {
  guard let ssl else { return }
  if event & SSL_CB_HANDSHAKE_DONE != 0 {
    ClientTLS.owner(of: ssl)?.finishedHandshake(ssl)
  } else if event == SSL_CB_ALERT | SSL_CB_READ {
    ClientTLS.owner(of: ssl)?.received(alert: value)
  } else if event == SSL_CB_ALERT | SSL_CB_WRITE {
    ClientTLS.owner(of: ssl)?.sentAlert(over: ssl)
  }
}
