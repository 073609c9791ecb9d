internal import JSONText
internal import POSIX
internal import PlainText
internal import Reporting

/// A folder in the system's temporary one that only its owner can use; gone, with its files, with this
/// object.
final class ScratchFolder: Sendable {
  let path: String

  init(in folder: String) throws(FileFailure) {
    let template = "\(folder)/fanfare-self-XXXXXX"
    var name = Array(template.utf8CString)
    guard mkdtemp(&name) != nil else { throw .unwritable(template, for: "temporary") }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for file in FolderListing(path).files { unlink(file) }
    rmdir(path)
  }

  /// Writes a file, puts it into its place and reads it.
  func tryOut() throws(FileFailure) {
    let (file, bytes) = ("\(path)/try", Array("fanfare".utf8))
    try replaceFile(file, with: bytes, for: "temporary")
    guard try readFile(file, for: "temporary", limit: 1024) == bytes else {
      throw FileFailure(path: file, action: .read, fault: .system(EIO), purpose: "temporary")
    }
  }
}

/// Whether files can be made in the temporary folder.
struct TemporaryFolderFacts {
  var folder: String
  /// Nil when all went well.
  var failure: FileFailure?

  var sight: PlatformSight {
    let evidence: JSON = ["folder": .text(folder)]
    if let failure {
      return .broken(
        failure.sentence, fix: "Set TMPDIR to a folder that you can write to.", evidence)
    }
    return .ok("Files can be made in \(folder.printable).", evidence)
  }
}
