/// A file of records that is written while they come.
struct RecordFile {
  private let output: Output
  private var encoder: RecordEncoder
  private let purpose: String

  /// The path, or `-`.
  let path: String

  /// Creates the file, so that a path that cannot be written is found before anything is sent. A file
  /// that is new, or empty, gets a header row in a format that has one.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is `standardOutput`.
  ///   - columns: the names of the records' columns.
  ///   - purpose: what the file is for, as errors say it.
  ///   - continues: whether to append to a file that exists; else it is replaced.
  init(
    _ path: String, _ format: RecordEncoder.Format, columns: [String], for purpose: String,
    continues: Bool, standardOutput: Output? = nil
  ) throws(Failure) {
    (self.path, self.purpose) = (path, purpose)
    encoder = RecordEncoder(format)
    let isNew = !continues || isEmptyFile(path)
    if let standardOutput, path == "-" {
      output = standardOutput
    } else {
      do throws(FileFailure) {
        output = Output(
          descriptor: try createFile(path, for: purpose, continues: continues), environment: [:],
          closesDescriptor: true)
      } catch {
        throw .file(error)
      }
    }
    if isNew { encoder.encodeHeader(columns) }
    encoder.drain(output.write)
  }

  /// Why a record could not be written; nil while all could.
  var failure: FileFailure? {
    output.failure.map { code in
      FileFailure(path: path, action: .write, fault: .system(code), purpose: purpose)
    }
  }

  /// Appends records. They are in the file even if this process is killed right after.
  mutating func write(_ records: some Sequence<some Record>) {
    for record in records { encoder.encode(record) }
    encoder.drain(output.write)
    output.flush()
  }
}
