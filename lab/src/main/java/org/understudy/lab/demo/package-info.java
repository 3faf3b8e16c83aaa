/** The demonstration: a load, kills and a pause, and a check of the results. */
package org.understudy.lab.demo;
