internal import APNS
internal import Credentials
internal import JSONText
package import Reporting
internal import Runs
package import Settings

/// Reports the contents of files.
package struct Inspect {
  let files: [String]
  let key: String?
  let keyPasswordFile: String?
  let certificatePasswordFile: String?
  let asJSON: Bool
  let context: Context

  package init(
    files: [String], key: String?, keyPasswordFile: String?, certificatePasswordFile: String?,
    asJSON: Bool, context: Context
  ) {
    (self.files, self.key, self.keyPasswordFile) = (files, key, keyPasswordFile)
    self.certificatePasswordFile = certificatePasswordFile
    (self.asJSON, self.context) = (asJSON, context)
  }

  /// - Throws: `Failure` if the key or a password cannot be read. A file that cannot be inspected
  ///   is reported on standard error.
  package func run() throws(Failure) -> Report {
    let (report, failures) = try report()
    return report.asJSON(asJSON).followed(by: failures.flatMap { $0.parts() })
  }

  /// The contents of the files, and the errors for those that could not be inspected.
  func report() throws(Failure) -> (report: Report, failures: [Failure]) {
    try checkStandardInput()
    let secrets = try InspectionSecrets(self)
    context.teller.note(secrets.warnings.parts)
    var (elements, failures): ([[Report.Part]], [Failure]) = ([], [])
    for file in files {
      var parts = [Self.name].parts(of: file)
      do throws(Failure) {
        parts += try FileInspection(file: file, secrets: secrets, context: context).parts()
      } catch {
        parts += Self.unknown(file, error)
        failures.append(error)
      }
      elements.append([.section(StyledText(file), parts)])
    }
    let code = ExitCode.merged(failures.map { $0.isWrongPassword ? .connection : .usage })
    return (Report(parts: [.list(nil, elements)], form: .array, exitCode: code), failures)
  }

  private static func unknown(_ file: String, _ failure: Failure) -> [Report.Part] {
    UnknownFile(problem: Problem.all(of: failure, in: file).first).parts
  }

  /// Refuses a second use of standard input.
  private func checkStandardInput() throws(Failure) {
    let options = [
      ("--key", key), ("--key-password-file", keyPasswordFile),
      ("--cert-password-file", certificatePasswordFile),
    ]
    let paths = files.map { ("FILE", $0) } + options
    let readers = paths.filter { $0.1 == "-" }.map(\.0)
    if readers.count > 1 { throw .conflict(readers[0], readers[1]) }
  }
}

/// A file of a kind that is not known, or that cannot be read.
private struct UnknownFile: JSONDescribed {
  let problem: Problem?

  static let fields: [OutputField<Self>] = [
    .always("kind", { _ in "unknown" }, "What the file contains.", .word(["unknown"])),
    .always("problem", \.problem?.message, "Why it cannot be told."),
    .always("fix", \.problem?.fix, "What to do."),
  ]
}

extension Inspect {
  private static let name = OutputField<String>.always(
    "file", { $0 }, "The file as it was given.")

  /// The output of `inspect`, by kind of file.
  static let shape = JSONShape.either(
    [
      KeyReport.fields.keys(), CertificateFileReport.fields.keys(),
      ProviderTokenReport.fields.keys(), PayloadReport.fields.keys(),
      TokenListReport.fields.keys(), UnknownFile.fields.keys(),
    ].map { .object(name.keys + $0) })
}

extension Failure {
  /// A password was given, and it is wrong.
  fileprivate var isWrongPassword: Bool {
    cause(SigningKeyError.self) == .wrongPassword
      || cause(CertificateError.self)?.isWrongPassword ?? false
  }
}

/// The passwords for the inspected files, and the key to compare them with.
struct InspectionSecrets {
  let keyPassword: SecretBytes?
  /// For a `.p12`, or a key beside its certificate.
  let certificatePassword: SecretBytes?
  /// The key that provider tokens and certificates are compared with.
  let key: CredentialSecret?
  /// The public half as SubjectPublicKeyInfo in DER; nil if it cannot sign provider tokens.
  let publicKey: [UInt8]?
  let warnings: [CredentialWarning]

  init(_ inspect: Inspect) throws(Failure) {
    let context = inspect.context
    let passwords = (
      key: try Self.password(.key, inspect.keyPasswordFile, context),
      certificate: try Self.password(.certificate, inspect.certificatePasswordFile, context)
    )
    (keyPassword, certificatePassword) = (passwords.key?.bytes, passwords.certificate?.bytes)
    key = try inspect.key.map { (path) throws(Failure) in
      try CredentialSecret(.file(path), for: "key", context)
    }
    publicKey = try Self.publicKey(of: key, keyPassword)
    // A password applies to all files, and may be meant for others than these.
    warnings =
      (key?.warnings ?? [])
      + [passwords.key, passwords.certificate].flatMap {
        $0?.warnings(isIdle: false, for: "") ?? []
      }
  }

  private static func password(
    _ kind: CredentialPassword.Kind, _ option: String?, _ context: Context
  ) throws(Failure) -> CredentialPassword? {
    let named = option.map { Setting<SecretLocation>(.file($0), .setting("--")) }
    return try CredentialPassword(kind, named, isVariableMeant: false, context)
  }

  /// Certificate keys are of other kinds and do not sign provider tokens.
  private static func publicKey(
    of key: CredentialSecret?, _ password: SecretBytes?
  ) throws(Failure) -> [UInt8]? {
    guard let key else { return nil }
    do throws(SigningKeyError) {
      return try SigningKey(contents: key.contents, password: password).publicKeyDER()
    } catch .wrongAlgorithm, .wrongCurve {
      return nil
    } catch {
      throw .credentials(in: key.name, error)
    }
  }
}
