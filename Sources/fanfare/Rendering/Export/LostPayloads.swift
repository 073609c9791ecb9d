/// What is said of payloads that cannot be told any more.
func lostPayloadsText(_ count: Int, _ style: Style) -> String {
  """
  fanfare: \(style.bad("error:")) \(counted(count, "payload")) cannot be made again: the lists that \
  filled the template have changed, or are gone.
    --keep-payloads of 'send' keeps what each row made of it.

  """
}
