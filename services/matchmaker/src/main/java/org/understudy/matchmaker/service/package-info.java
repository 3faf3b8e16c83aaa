/** The Matchmaker (Zhang 2006, III.C.1 and IV.D.2): its operations, and its state as two objects behind interfaces. */
package org.understudy.matchmaker.service;
