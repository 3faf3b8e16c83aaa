package desk;

@Deprecated(forRemoval = true)
public class Outdated {}
