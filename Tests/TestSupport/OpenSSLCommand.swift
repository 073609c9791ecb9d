import Foundation

/// The command ended with another status than 0.
package struct OpenSSLFailure: Error {
  package let text: String
}

/// Runs the `openssl` command, a judge that shares no code with us, in a folder.
///
/// - Returns: what it printed.
@discardableResult
package func openssl(_ arguments: String..., in folder: KeptFolder) throws -> String {
  try runOpenSSL(arguments, in: folder)
}

/// The same for arguments in an array.
@discardableResult
package func runOpenSSL(_ arguments: [String], in folder: KeptFolder) throws -> String {
  try runOpenSSL(arguments, in: TemporaryFolder(path: folder.path))
}

/// The same in a folder that somebody else removes.
@discardableResult
package func runOpenSSL(_ arguments: [String], in folder: TemporaryFolder) throws -> String {
  let result = try run("openssl", arguments, in: folder)
  let text = result.output + result.errors
  guard result.exitCode == 0 else { throw OpenSSLFailure(text: text) }
  return text
}

extension KeptFolder {
  /// A folder with `AuthKey.p8`, as Apple hands them out, and `public.pem`.
  package static func withKey() throws -> KeptFolder {
    let folder = try KeptFolder()
    try openssl(
      "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "AuthKey.p8",
      in: folder)
    try openssl("pkey", "-in", "AuthKey.p8", "-pubout", "-out", "public.pem", in: folder)
    return folder
  }
}
