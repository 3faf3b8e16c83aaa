package desk;

/** The class of the service has its method from a superclass that is not public. */
public interface Contract {
  String inherited();
}
