package desk;

/** Has the name of a type of java.lang. */
public class Number {}
