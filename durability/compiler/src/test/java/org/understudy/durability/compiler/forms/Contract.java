package org.understudy.durability.compiler.forms;

import jakarta.jws.WebService;
import java.util.List;

/** A contract that stands in an interface. */
@WebService(targetNamespace = "urn:forms")
public interface Contract {
  /** Throws anything. */
  String any(String keep) throws Exception;

  /** Throws a fault and its superclass. */
  int[] related(List<String> fault) throws Faults.General, Faults.Special;

  /** Throws a subclass of a fault that the mapping names. */
  void special() throws Faults.Special;

  /** Throws nothing. */
  default String none(String returned) {
    return returned;
  }
}
