package org.understudy.lab.durability.counter;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** The contract of the counters (Zhang 2006, IV.D.1, where there is one counter). */
@WebService(name = "CounterPortType", targetNamespace = CounterPortType.NAMESPACE)
public interface CounterPortType {
  String NAMESPACE = "urn:understudy:lab:counter:1";

  /** Adds to a counter, and opens it with 0 if there is none. Returns the new value. */
  long add(@WebParam(name = "counter") int counter, @WebParam(name = "amount") long amount);

  /** Opens several counters with the value 1, from this number on; those that are open keep their values. Returns the number of all. */
  int open(@WebParam(name = "first") int first, @WebParam(name = "count") int count);

  /** The value of a counter; 0 if it is not open. */
  long value(@WebParam(name = "counter") int counter);

  /** The number of counters. */
  int count();

  /** The sum of all counters. */
  long total();
}
