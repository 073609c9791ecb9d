internal import APNS
internal import Credentials
internal import JSONText

/// Tells what files contain.
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

  /// - Throws: `Failure` when the key or a password cannot be read. A file that cannot be inspected
  ///   is told on standard error.
  package func run() throws(Failure) -> ExitCode {
    let (report, failures) = try report()
    let code = context.tell(report, asJSON: asJSON)
    context.output.flush()
    for failure in failures { context.warn(failure.parts()) }
    return code
  }

  /// What the files contain, and why that cannot be told of some.
  func report() throws(Failure) -> (report: Report, failures: [Failure]) {
    try checkStandardInput()
    let secrets = try InspectionSecrets(
      key: key, keyPasswordFile: keyPasswordFile,
      certificatePasswordFile: certificatePasswordFile, context)
    CredentialWarning.tell(secrets.warnings, context)
    var (elements, failures): ([[Report.Part]], [Failure]) = ([], [])
    for file in files {
      var parts = [Report.Part.json("file", .text(file))]
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
    let problem = Problem.all(of: failure, in: file).first
    return [
      .json("kind", "unknown"), .json("problem", .text(problem?.message)),
      .json("fix", .text(problem?.fix)),
    ]
  }

  /// Standard input can be read only once.
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

extension Failure {
  /// Whether a password was given that is wrong.
  fileprivate var isWrongPassword: Bool {
    cause as? SigningKeyError == .wrongPassword
      || (cause as? CertificateError)?.isWrongPassword ?? false
  }
}
