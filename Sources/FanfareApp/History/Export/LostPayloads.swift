/// The error for payloads that cannot be rebuilt.
func lostPayloadsText(_ count: Int, _ style: Style) -> String {
  """
  fanfare: \(style.bad("error:")) \(counted(count, "payload")) cannot be rebuilt: the lists that \
  filled the template have changed or are gone.
    'send --keep-payloads' keeps the payload of each push.

  """
}
