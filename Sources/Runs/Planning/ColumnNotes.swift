package import APNS
internal import PlainText
package import Recipients
internal import Reporting
package import Settings

/// What the columns of lists say of a template's variables that nobody may have meant.
package struct ColumnNotes {
  /// Columns that look like a variable that falls back to its default, a warning for each.
  package private(set) var warnings: [(what: String, fix: String)] = []
  /// Values of `--var` that rows do not get, because they have their own.
  private(set) var notes: [String] = []

  /// Reads the columns of the lists that can be read again.
  package init(_ rendering: any RowRendering, _ sources: [RecipientSource], _ settings: Settings) {
    let fallingBack = Set(rendering.names).subtracting(rendering.neededNames)
    for case .file(let path) in sources {
      let format = ListFormat(path: path) ?? settings.listFormat
      let columns =
        RecipientSource.file(path).isReadOnce
        ? [] : ListColumns.names(ofFile: path, format)
      for name in rendering.names where !columns.contains(name) && fallingBack.contains(name) {
        let near = columns.first { $0.bare == name.bare }
        if let near { warnings.append(Self.warning(path.printable, near.printable, name)) }
      }
      let options = settings.variables.filter { $0.value.origin.isOption }.keys
      notes += rendering.names.filter { options.contains($0) && columns.contains($0) }.map {
        Self.note($0, of: path.printable, isTable: format == .csv)
      }
    }
  }

  private static func note(_ name: String, of list: String, isTable: Bool) -> String {
    isTable
      ? "Every row of \(list) has its own '\(name)', so --var \(name) is not used for it."
      : "Rows of \(list) have their own '\(name)': --var \(name) is only for those that lack it."
  }

  private static func warning(
    _ list: String, _ column: String, _ name: String
  ) -> (what: String, fix: String) {
    (
      "\(list) has a column '\(column)', but not '\(name)': every row gets the default of "
        + "{{\(name)}}.",
      "Names have to be the same letter by letter: rename one of the two."
    )
  }

  /// Prints them, unless warnings are errors.
  func tell(strict: Bool, _ context: Context) throws(Failure) {
    if strict, let (what, fix) = warnings.first {
      throw Failure(what + Strictness.clause, fix: fix)
    }
    context.teller.note(warnings.map { .warning($0.what, $0.fix) })
    for note in notes { context.teller.note(note) }
  }
}

extension String {
  /// The name without what people write in different ways.
  fileprivate var bare: String { String(lowercased().filter { $0.isLetter || $0.isNumber }) }
}
