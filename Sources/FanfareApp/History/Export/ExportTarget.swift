/// Where an export goes: standard output, or a file.
struct ExportTarget {
  /// What is written here arrives there.
  let output: Output
  private let file: NewFile?

  init(_ path: String, for purpose: String, _ context: Context) throws(Failure) {
    guard path != "-" else {
      (output, file) = (context.output, nil)
      return
    }
    do throws(FileFailure) {
      let file = try NewFile(path, for: purpose)
      (output, self.file) = (file.output, file)
    } catch {
      throw .file(error)
    }
  }

  /// The file while it is not whole; nil when it is written in its place.
  var beside: String? { file?.beside }

  /// Puts a file into its place.
  func finish() throws(Failure) {
    do throws(FileFailure) {
      try file?.finish()
    } catch {
      throw .file(error)
    }
  }
}
