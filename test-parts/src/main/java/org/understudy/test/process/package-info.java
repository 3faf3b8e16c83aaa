/** Programs in separate processes, as a user at a terminal runs them. */
package org.understudy.test.process;
