package org.understudy.spring;

/** Belongs to one HTTP request. */
public class Visit {
  private String names = "";

  public String add(String name) {
    names += name;
    return names;
  }
}
