/** What is done to a group: a plan that a seed fixes, and its execution. */
package org.understudy.lab.torture.fault;
